#!/usr/bin/env python3
"""Counts the sentences that break the rules of the language guide, and fails if there are more than the ceiling allows.

The rules are 1, 3, 6 and 7 of the project's language guide: name the actor, no "of your own", no furniture verbs, and the
field's nouns. A regular expression also flags some good sentences, so each kind of text has a ceiling instead of a ban.
A ceiling may only be lowered. `.ci/language.py -v [FILE...]` lists the flagged sentences.
"""

import re
import subprocess
import sys

# The maximum number of flagged sentences, by kind of text.
CEILINGS = {"guides": 9, "messages": 7, "doc comments": 10, "comments": 4}

RULES = {
    "name the actor": r"\b(who|whom|whoever|nobody|somebody|anybody|everybody|others)\b",
    "of your own": r"\bof (others|yours|ours|theirs|its own|their own|your own|one's own|his own|the user's)\b",
    "furniture verbs": r"\b(stands? (in|beside|behind|above|below|there)|stood|go(es)? with|c[oa]mes? along|t[ao]ke[sn]? along"
    r"|took along|(bring|brings|brought) (\w+ )?up to date|anew|mend(s|ed|ing)?|(give|gives|given|gave) back|leads? nowhere"
    r"|lets? go of|letting go of|has gone)\b",
    "the field's nouns": r"\b(whole numbers?|small letters?|capital letters?|behind|beside|for one(?=[,.;:)]|$)|will do|dear|dearer|dearest"
    r"|initialisers?|letters and digits|inside of|outside of|beginnings?|endings)\b",
}
PATTERN = re.compile("|".join(f"(?:{rule})" for rule in RULES.values()), re.IGNORECASE)

STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
MULTILINE_STRING = re.compile(r'"""\n(.*?)"""', re.DOTALL)
INTERPOLATION = re.compile(r"\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")


def sentences(text):
    """Yields the sentences of prose. Code in backquotes is one word; a table cell or a list item is a paragraph."""
    text = re.sub(r"`[^`]*`", "`code`", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    for paragraph in re.split(r"\n\s*\n|\n\s*(?=[-*|#>]|\d+\.)|\|", text):
        for sentence in re.split(r"(?<=[.!?])\s+", " ".join(paragraph.split())):
            if sentence:
                yield sentence


def prose_of_markdown(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def texts_of_swift(text):
    """Yields the doc comments, other comments and messages of a Swift file, as pairs of kind and text."""
    strings = [" ".join(found.split()) for found in MULTILINE_STRING.findall(text)]
    doc, other = [], []

    def close():
        for kind, lines in (("doc comments", doc), ("comments", other)):
            if lines:
                yield kind, prose_of_markdown("\n".join(lines))
                lines.clear()

    for line in MULTILINE_STRING.sub("", text).splitlines():
        bare = line.strip()
        if bare.startswith("///"):
            doc.append(bare[3:].removeprefix(" "))
            continue
        if bare.startswith("//"):
            other.append(bare[2:].strip())
            continue
        yield from close()
        strings += STRING.findall(INTERPOLATION.sub("X", line))
    yield from close()
    # A message has at least three lowercase words; SQL and names have fewer.
    for string in strings:
        if len(re.findall(r"(?<![\w.])[a-z]{2,}(?!\w)", string)) >= 3 and not re.match(r"[A-Z]{4,} ", string):
            yield "messages", string


def main():
    arguments = sys.argv[1:]
    is_verbose = "-v" in arguments
    files = [argument for argument in arguments if argument != "-v"]
    tracked = files or subprocess.check_output(["git", "ls-files", "*.md", "Sources/*.swift"], text=True).split()
    counts = dict.fromkeys(CEILINGS, 0)
    totals = dict.fromkeys(CEILINGS, 0)
    for file in tracked:
        with open(file, encoding="utf-8") as opened:
            text = opened.read()
        if file.endswith(".md"):
            texts = [("guides", prose_of_markdown(text))]
        else:
            texts = texts_of_swift(text)
        for kind, prose in texts:
            for sentence in sentences(prose):
                totals[kind] += 1
                if found := PATTERN.search(sentence):
                    counts[kind] += 1
                    if is_verbose:
                        print(f"{file}: {kind}: [{found.group(0)}] {sentence}")
    status = 0
    for kind, count in counts.items():
        if not files and count > CEILINGS[kind]:
            status = 1
            print(f"language: {count} flagged sentences in {kind}, at most {CEILINGS[kind]}: see .ci/language.py -v")
        else:
            print(f"language: {kind}: {count} of {totals[kind]} sentences flagged")
    sys.exit(status)


main()
