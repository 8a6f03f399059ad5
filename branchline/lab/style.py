"""The style sheet of a report's page. Papers and inks are those of the game's own page."""

from __future__ import annotations

STYLE = """
:root{color-scheme:light dark;
--paper:light-dark(#f5ecd7,#10232a);--paper-2:light-dark(#ebdfc3,#183039);--paper-3:light-dark(#fcf6e8,#213d47);
--ink:light-dark(#221a12,#f2e7cd);--ink-2:light-dark(#57472f,#c6bb9c);--line:light-dark(#8b7550,#a98f58);
--line-soft:light-dark(#d3c19b,#3a5158);--land:light-dark(#fcf6e8,#16303a);--accent:light-dark(#164b63,#e3bb66);
--warn:light-dark(#7a4a00,#f0b860);--focus:light-dark(#0a4fb0,#ffd866);
--e0:light-dark(#0b2a52,#9cc9f5);--e1:light-dark(#2f6c9e,#5f9fd0);--e2:light-dark(#7d8b86,#8c9a97);
--e3:light-dark(#c98a1e,#c08a34);--e4:light-dark(#e0662a,#f2b04a);
--v0:light-dark(#c2500a,#ff9a3d);--v1:light-dark(#e09a4a,#c98a4c);--v2:light-dark(#a59c88,#7f8b8c);
--v3:light-dark(#5b8fb9,#6ea6d6);--v4:light-dark(#0f4c86,#a9d4ff);
--never:light-dark(#9a8c70,#7d8f8f);
--title:'Old Standard TT','Times New Roman',serif;
--ui:'Barlow Semi Condensed','Arial Narrow','Helvetica Neue',Arial,sans-serif}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.5 var(--ui)}
main,header,footer{max-width:68rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2.5rem}
h1,h2,h3{font-family:var(--title);line-height:1.15;text-wrap:balance}
h1{font-size:clamp(2.1rem,1.5rem + 3vw,3.4rem);margin:0 0 .5rem}
h2{font-size:1.9rem;margin:3.5rem 0 .75rem;border-top:3px double var(--line);padding-top:1.5rem}
h3{font-size:1.3rem;margin:2.25rem 0 .4rem}
p{margin:.5rem 0;max-width:46rem}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.kicker{font-size:.9375rem;letter-spacing:.12em;text-transform:uppercase;color:var(--accent);margin:0 0 .5rem}
.lead{font-size:1.2rem;color:var(--ink-2)}
.note{font-size:.9375rem;color:var(--ink-2)}
.mark{border-left:4px solid var(--warn);background:var(--paper-2);padding:.6rem 1rem;border-radius:0 6px 6px 0}
nav{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;margin-top:1rem}
.findings{counter-reset:f;list-style:none;padding:0;display:grid;gap:1rem;
grid-template-columns:repeat(auto-fill,minmax(min(100%,25rem),1fr))}
.findings li{counter-increment:f;background:var(--paper-3);border:1px solid var(--line-soft);border-radius:8px;
padding:1rem 1.15rem}
.findings h4{margin:0 0 .35rem;font:700 1.15rem/1.25 var(--title)}
.findings h4::before{content:counter(f);color:var(--accent);margin-right:.55rem}
.findings p{margin:.25rem 0}
.advice{color:var(--ink-2);border-top:1px dotted var(--line);padding-top:.4rem}
.sheet{background:var(--land);border:1px solid var(--line);border-radius:8px;padding:.5rem;overflow-x:auto}
.heat{display:block;width:100%;min-width:46rem;height:auto;margin:0 auto;font:600 14px var(--ui)}
.heat.tall{min-width:36rem;max-width:46rem}
.heat path{fill:none;stroke-linecap:butt}
.casing path{stroke:var(--land)}
.never{stroke:var(--never);stroke-dasharray:2 5}
.e0{stroke:var(--e0)}.e1{stroke:var(--e1)}.e2{stroke:var(--e2)}.e3{stroke:var(--e3)}.e4{stroke:var(--e4)}
.by-win:checked~.sheet .v0,.k.v0{stroke:var(--v0)}.by-win:checked~.sheet .v1,.k.v1{stroke:var(--v1)}
.by-win:checked~.sheet .v2,.k.v2{stroke:var(--v2)}.by-win:checked~.sheet .v3,.k.v3{stroke:var(--v3)}
.by-win:checked~.sheet .v4,.k.v4{stroke:var(--v4)}
.heat .t:hover{stroke:var(--ink)!important}
.dots circle{fill:var(--paper-3);stroke:var(--ink);stroke-width:1.8}
.names text{fill:var(--ink);stroke:var(--land);stroke-width:3.5px;paint-order:stroke;stroke-linejoin:round}
.pick{position:absolute;opacity:0}
.pick+label{display:inline-block;padding:.4rem .9rem;border:1px solid var(--line);border-radius:6px;cursor:pointer;
margin:0 .4rem .6rem 0;background:var(--paper-3)}
.pick:checked+label{background:var(--accent);color:var(--paper-3);border-color:var(--accent)}
.pick:focus-visible+label{outline:3px solid var(--focus);outline-offset:2px}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 2rem;margin:.5rem 0;font-size:.9375rem;color:var(--ink-2)}
.legend span{display:inline-flex;align-items:center;gap:.4rem;margin-right:.7rem}
.legend svg{width:34px;height:14px;flex:none}
.legend path{fill:none}
.legend .plain{stroke:var(--ink-2)}
.legend .win,.by-win:checked~.legend .when{display:none}
.by-win:checked~.legend .win{display:block}
.bars{display:block;width:100%;max-width:40rem;height:auto;font:13px var(--ui)}
.bars rect{fill:var(--accent)}
.bars text{fill:var(--ink-2)}
.bars line{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:4 3}
.tables{display:flex;flex-wrap:wrap;gap:0 3rem;align-items:flex-start}
.tb{width:100%}
.tb.small{width:min(100%,30.5rem)}
.hint{display:none}
@media(max-width:48rem){.hint{display:block}.bars{font-size:24px}}
.scroll{overflow-x:auto;margin:.5rem 0}
table{border-collapse:collapse;font-size:.9375rem;font-variant-numeric:tabular-nums}
th,td{padding:.28rem .75rem .28rem 0;text-align:right;vertical-align:baseline;white-space:nowrap}
th{font-weight:600;border-bottom:2px solid var(--line);vertical-align:bottom;white-space:normal;min-width:3.5rem}
td{border-bottom:1px solid var(--line-soft)}
.w1 :is(td,th):nth-child(1),.w2 :is(td,th):nth-child(-n+2){text-align:left}
tr:hover td{background:var(--paper-2)}
td i{font-style:normal;color:var(--ink-2);font-size:.8125rem}
details{margin:.5rem 0}
summary{cursor:pointer;color:var(--accent);padding:.35rem 0}
footer{margin-top:4rem;padding-top:1rem;padding-bottom:3rem;border-top:3px double var(--line)}
@media print{.pick+label,nav{display:none}}
"""
