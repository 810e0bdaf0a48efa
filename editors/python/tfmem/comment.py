"""Posts what a pull request or merge request costs as its one comment, in GitHub Actions or GitLab CI.

    python -m tfmem.comment FILE

FILE is what "tfmem estimate --against BASE --output-format markdown" wrote. The next run changes the same
comment; where nothing changed and there is none, none is made. The token is GITHUB_TOKEN, or TFMEM_TOKEN in
GitLab, whose own CI_JOB_TOKEN may not comment. Without one nothing happens, and a token that may not comment,
as in a pull request from a fork, is no error: the exit code is 0, and a line says why.
"""

import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

MARKER = "<!-- tfmem: memory -->"  # modelreport.Marker
PAGE = 100
PAGES = 50  # of comments that are searched


class Forge:
    """The comments of one request, by the API of GitHub or GitLab."""

    def __init__(self, api, comments, one, headers, edit):
        self.api, self.comments, self.one, self.headers, self.edit = api.rstrip("/"), comments, one, headers, edit

    def ask(self, path, method="GET", body=None):
        data = None if body is None else json.dumps({"body": body}).encode()
        request = urllib.request.Request(self.api + path, data, {**self.headers, "Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def me(self):
        """Who the token is; None if it may not know, as that of GitHub Actions."""
        try:
            return self.ask("/user").get("id")
        except urllib.error.HTTPError:
            return None

    def mine(self):
        """The number of the comment of an earlier run, or None. Anybody can write the marker, so the author counts."""
        me = self.me()
        for page in range(1, PAGES + 1):
            found = self.ask(f"{self.comments}?per_page={PAGE}&page={page}")
            for comment in found:
                author = comment.get("user") or comment.get("author") or {}
                ours = author.get("type") == "Bot" if me is None else author.get("id") == me
                if ours and (comment.get("body") or "").startswith(MARKER):
                    return comment["id"]
            if len(found) < PAGE:
                return None
        return None

    def post(self, text):
        """Says what was done with the text."""
        number = self.mine()
        if number is not None:
            self.ask(self.one.format(number), self.edit, text)
            return "changed the comment"
        if "\n|" not in text:  # no table
            return "nothing changed, and there is no comment to change"
        self.ask(self.comments, "POST", text)
        return "commented"


def forge(env):
    """The forge that this job runs for; or why there is nothing to post to."""
    if env.get("GITHUB_ACTIONS"):
        repository, number, token = env.get("GITHUB_REPOSITORY"), env.get("TFMEM_PULL"), env.get("GITHUB_TOKEN")
        if not (repository and number):
            return "this is no pull request"
        if not token:
            return "there is no token"
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        issues = f"/repos/{repository}/issues"
        return Forge(env.get("GITHUB_API_URL") or "https://api.github.com", f"{issues}/{number}/comments", issues + "/comments/{}", headers, "PATCH")
    if env.get("GITLAB_CI"):
        project, number, token = env.get("CI_MERGE_REQUEST_PROJECT_ID"), env.get("CI_MERGE_REQUEST_IID"), env.get("TFMEM_TOKEN")
        if not (project and number):
            return "this is no merge request"
        if not token:
            return "there is no token; the variable TFMEM_TOKEN may have one of the project, with the scope api"
        notes = f"/projects/{project}/merge_requests/{number}/notes"
        return Forge(env["CI_API_V4_URL"], notes, notes + "/{}", {"PRIVATE-TOKEN": token}, "PUT")
    return "this is neither GitHub Actions nor GitLab CI"


def main(arguments):
    if len(arguments) != 1:
        print("usage: python -m tfmem.comment FILE", file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as f:
        text = f.read()
    to = forge(os.environ)
    if isinstance(to, str):
        print(f"tfmem: no comment: {to}")
        return 0
    try:
        print(f"tfmem: {to.post(text)}")
    except (OSError, ValueError, KeyError, AttributeError) as failed:  # a refusal, no network, or an answer that is none
        print(f"tfmem: no comment: {to.api} says: {failed}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
