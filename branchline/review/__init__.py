"""What a finished game tells: every decision judged by what its player knew, and luck told from skill.

from branchline.review import QUICK, review

found = review(load_game("game.json"), setting=QUICK)
print(found.players[0].accuracy, found.players[0].luck)
"""

from branchline.review.making import Progress, review
from branchline.review.model import Review
from branchline.review.moments import NotOver, TooLong
from branchline.review.settings import FULL, QUICK, SETTINGS, Setting

__all__ = ["FULL", "QUICK", "SETTINGS", "NotOver", "Progress", "Review", "Setting", "TooLong", "review"]
