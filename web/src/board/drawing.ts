/** A worker that draws the board of a map nobody drew. */
import { drawBoard } from "../../tools/board/fan.mjs";

onmessage = ({ data }: MessageEvent<Parameters<typeof drawBoard>[0]>) => postMessage(drawBoard(data).art);
