#!/usr/bin/env python3
"""Proves that the rooms of `Sources` are layers: uses go down only.

A room is a folder. ORDER lists all of them, top first; a room may use those below it. A room and the rooms inside it
are one subject and may use each other; those inside it may among each other only use the lower ones. A use is a name of
a type, a function or a member that is defined in one room only. ALLOWED has what may be used from below, and why.
Each room has a head paragraph: the comment with which one of its files begins, `// Room: what it knows, and what it
must not know.` The picture in Docs/Architecture.md names the same rooms in the same order.

Run from the root of the package: `.ci/layers.py`; `.ci/layers.py --uses` also prints the matrix of uses.
"""
import collections
import os
import re
import sys

# Top first.
ORDER = """
PersistentObjectsTesting
PersistentObjectsTesting/Finders
PersistentObjects/Interface
PersistentObjects/Care
PersistentObjects/Care/Integrity
PersistentObjects/Transfer/Foreign
PersistentObjects/Transfer
PersistentObjects/Events
PersistentObjects/Finders
PersistentObjects/Finders/Names
PersistentObjects/Queries/Joins
PersistentObjects/Queries/Pages
PersistentObjects/Queries
PersistentObjects/Queries/Values
PersistentObjects/Queries/Terms
PersistentObjects/Migration
PersistentObjects/RawSQL
PersistentObjects/Undo/Snapshots
PersistentObjects/Undo
PersistentObjects/Transaction
PersistentObjects/Save
PersistentObjects/Save/Conflicts
PersistentObjects/Save/Before
PersistentObjects/Save/Collections
PersistentObjects/Delete
PersistentObjects/Fetch
PersistentObjects/Fetch/Graph
PersistentObjects/Session/Opening
PersistentObjects/Session
PersistentObjects/Session/News
PersistentObjects/Session/Memory
PersistentObjects/Session/Classes
PersistentObjects/Session/Inverses
PersistentObjects/Session/Transactions
PersistentObjects/Session/Identity
PersistentObjects/Session/Gate
PersistentObjects/Store
PersistentObjects/Profiling
PersistentObjects/Commits
PersistentObjects/Schema
PersistentObjects/Schema/Moves
PersistentObjects/Schema/Triggers
PersistentObjects/Schema/Collections
PersistentObjects/Schema/Record
PersistentObjects/Schema/Indexes
PersistentObjects/Schema/Conversion
PersistentObjects/Schema/Foreign
PersistentObjects/Statements
PersistentObjects/Conditions
PersistentObjects/Conditions/Elements
PersistentObjects/Conditions/Arguments
PersistentObjects/Conditions/Paths
PersistentObjects/Mapping
PersistentObjects/Mapping/Triggers
PersistentObjects/Mapping/Baseline
PersistentObjects/Mapping/Codecs
PersistentObjects/Mapping/Codecs/Foreign
PersistentObjects/Mapping/Codecs/Collections
PersistentObjects/Mapping/Codecs/JSON
PersistentObjects/Object
PersistentObjects/Object/Observation
PersistentObjects/Object/Memory
PersistentObjects/Object/Memory/Metadata
PersistentObjects/Object/Wrappers
PersistentObjects/Object/Problems
PostgresEngine
PostgresEngine/Schema
PostgresEngine/Statements
PostgresEngine/Wire
StoreEngine/Watching
StoreEngine/SQLite/Functions
StoreEngine/SQLite/Foreign
StoreEngine/SQLite
StoreEngine/SQLite/Upkeep
StoreEngine/SQLite/Schema
StoreEngine/SQLite/Changes
StoreEngine/FileWatching
StoreEngine/Seam
StoreEngine/Seam/Files
StoreEngine/Seam/Changes
StoreEngine/SQL
StoreEngine/Values
""".split()

# Names that lower rooms may use, and why.
ALLOWED = {
    "Store": "the overridable class member `store` names it, and Swift cannot override what stands in an extension",
    "Condition": "the overridable class member `defaultScope` names it",
    "FinderOperator": "the overridable class member `finderOperators` names it",
}

KEYWORDS = set("""as associatedtype async await break case catch class continue default defer deinit do else enum
 extension fallthrough false fileprivate final for func guard if import in indirect infix init inout internal is
 lazy let mutating nil nonisolated nonmutating open operator override package postfix precedencegroup prefix
 private protocol public repeat required rethrows return self Self some any static struct subscript super switch
 throw throws true try typealias unowned var weak where while actor borrowing consuming sending isolated each""".split())
# Members whose names the standard library, Foundation or Swift Testing use too.
COMMON = set("""jsonObject all allSatisfy add append apply body bits bytes byte cancel capacity children clear close code column columns
 compactMap contains content context copy count create current data date debugDescription delete description distinct
 drop dropFirst dropLast element elements empty encode decode end endIndex enumerated equal error errors even event events
 execute exists fields file filter find finish first flatMap flags forEach format formIndex formUnion from get hash
 hashValue hasPrefix hasSuffix header height id index indexes indices info initialize insert int integer isEmpty item
 items iterator join joined key keys kind last length level limit line list load location lock lowercased make map mapValues
 max message metadata min mode name names next none number object objects offset open operation order other output path
 paths plan pop popLast position prefix problems properties property query range rawValue read reason reduce release
 remove removeAll removeLast removeValue rename reserveCapacity reset result results reversed root row rows run save
 scalar search second seconds self set setter shuffled size slot some sort sorted source split sql start startIndex state
 store storage stored string style subject subtract sum suffix swap table tables target text time title token tokens
 total type types union unit unlock update updateValue uppercased url utf8 value values verify version visit wait walk
 where width with withLock withUnsafeBytes word words write yield zip null real blob integer owner owners link links after allocate
 allocatePrefix buffer builtIn change comparison computed deleted firstIndex literal maximum minimum move named relaxed stride
 toggle behind collation call redo exchange isNumber live
 rule rules subscribe session classes news memory hooks finders note notes undo places part parts""".split())

NAME = r'`[^`\n]+`|[A-Za-z_][A-Za-z0-9_]*'
TOKEN = re.compile(r'(%s)|([{}()\[\].,:;=<>@#?!&|+\-*/%%^~]|\d[\w.]*)|(\n)|(\s+)|(.)' % NAME)


def strip(text):
    """The code without comments and strings; the content of interpolations stays."""
    out, i, n = [], 0, len(text)
    def string(i):
        hashes = 0
        while text[i] == '#':
            hashes += 1; i += 1
        quote = '"""' if text.startswith('"""', i) else '"'
        i += len(quote)
        end, escape = quote + '#' * hashes, '\\' + '#' * hashes
        while i < n:
            if text.startswith(end, i):
                return i + len(end)
            if text.startswith(escape + '(', i):
                i += len(escape) + 1
                out.append(' (')
                depth = 1
                while i < n and depth:
                    if text[i] == '"' or re.match(r'#+"', text[i:i + 4]):
                        i = string(i); continue
                    depth += {'(': 1, ')': -1}.get(text[i], 0)
                    out.append(text[i]); i += 1
                continue
            if text.startswith(escape, i):
                i += len(escape) + 1; continue
            if text[i] == '\n':
                out.append('\n')
                if quote == '"':
                    return i + 1
            i += 1
        return i
    while i < n:
        if text.startswith('//', i):
            j = text.find('\n', i); i = n if j < 0 else j
        elif text.startswith('/*', i):
            depth, j = 1, i + 2
            while j < n and depth:
                if text.startswith('/*', j): depth += 1; j += 2
                elif text.startswith('*/', j): depth -= 1; j += 2
                else:
                    if text[j] == '\n': out.append('\n')
                    j += 1
            i = j
        elif text[i] == '"' or re.match(r'#+"', text[i:i + 4]):
            out.append(' _ '); i = string(i)
        else:
            out.append(text[i]); i += 1
    return ''.join(out)


class File:
    def __init__(self, path):
        self.path = path
        self.room = '/'.join(path.split(os.sep)[1:-1])
        self.target = self.room.split('/')[0]
        self.text = open(path, encoding='utf-8').read()
        self.lines = self.text.count('\n')
        self.imports = re.findall(r'(?m)^[a-z ]*import (\w+)', self.text)
        code = re.sub(r'(?m)^\s*(public |package |internal |private |@\w+ )*import .*$', '', strip(self.text))
        self.tokens = [m.group(0).strip('`') for m in TOKEN.finditer(code) if not m.group(4) and not m.group(3)]
        self.types, self.nested, self.functions, self.members, self.local = {}, {}, {}, {}, set()
        self.private, self.hidden = set(), set()
        self.scan()

    def scan(self):
        t, depth, stack, i, opened = self.tokens, 0, [], 0, None
        paren = 0
        while i < len(t):
            w = t[i]
            if w in '([': paren += 1
            elif w in ')]': paren -= 1
            elif w == '{':
                stack.append(opened); opened = None
            elif w == '}':
                if stack: stack.pop()
            elif i and t[i - 1] == '.':
                pass
            elif w in ('class', 'struct', 'enum', 'protocol', 'actor', 'extension', 'typealias', 'associatedtype') and i + 1 < len(t) and re.match(r'[A-Za-z_]', t[i + 1]) and t[i + 1] not in ('func', 'var', 'let', 'subscript', 'final'):
                name = t[i + 1]
                hidden = bool({'private', 'fileprivate'} & set(t[max(0, i - 4):i]) - set()) and 'private' in t[max(0, i - 3):i] + t[max(0, i - 3):i]
                if w == 'extension':
                    opened = ('type', name)
                elif w in ('typealias', 'associatedtype'):
                    (self.types if not stack else self.nested)[name] = w
                    if hidden: self.private.add(name)
                else:
                    (self.types if not stack else self.nested)[name] = w
                    if hidden and not stack: self.private.add(name)
                    opened = ('type', name)
            elif w in ('func', 'var', 'let', 'case') and i + 1 < len(t) and re.match(r'[A-Za-z_]', t[i + 1]):
                name = t[i + 1]
                inType = bool(stack) and stack[-1] is not None
                before = t[max(0, i - 5):i]
                if not stack and paren == 0:
                    if w == 'func' or w in ('let', 'var'):
                        self.functions[name] = w
                        if 'private' in before[-2:] or 'fileprivate' in before[-2:]: self.private.add(name)
                elif inType and paren == 0 and 'override' not in before:
                    if 'private' in before[-3:] and '(' not in before:
                        self.local.add(name)
                        self.hidden.add(name)
                    else: self.members[name] = stack[-1][1]
                else:
                    self.local.add(name)
            i += 1
        # generic parameters, closures' and functions' parameters
        self.generics = set()
        for i in range(len(t) - 3):
            if t[i] in ('func', 'struct', 'class', 'enum', 'init', 'subscript', 'typealias', 'actor'):
                j = i + (1 if t[i] in ('init', 'subscript') else 2)
                if j < len(t) and t[j] == '<':
                    angle, k = 0, j
                    while k < len(t) and k < j + 60:
                        angle += {'<': 1, '>': -1}.get(t[k], 0)
                        if t[k - 1] in '<,' and angle == 1 and re.match('[A-Z]', t[k]): self.generics.add(t[k])
                        if t[k - 1] in ('each', 'let') and angle == 1: self.generics.add(t[k])
                        if angle == 0: break
                        k += 1
        for a, b in zip(t, t[1:]):
            if b == ':' and re.match(r'[a-z_]', a): self.local.add(a)

    def uses(self):
        """(name, is a member use) for each identifier."""
        t = self.tokens
        for i, w in enumerate(t):
            if re.match(r'[A-Za-z_]', w) and w not in KEYWORDS:
                dotted = i > 0 and t[i - 1] == '.'
                if i > 0 and t[i - 1] in ('func', 'var', 'let', 'case', 'class', 'struct', 'enum', 'protocol', 'typealias', 'associatedtype', 'actor'):
                    continue
                isParameter = i + 1 < len(t) and (t[i + 1] == ':' or re.match(r'[A-Za-z_]', t[i + 1]))
                label = isParameter and i > 0 and t[i - 1] in ('(', ',')
                yield w, dotted, label




def isInside(room, other):
    return room.startswith(other + '/')


class Layers:
    """All files, who defines what, and who uses it."""

    def __init__(self):
        self.targets = list(dict.fromkeys(room.split('/')[0] for room in ORDER))
        self.files = []
        for target in self.targets:
            for folder, _, names in os.walk(os.path.join('Sources', target)):
                self.files += [File(os.path.join(folder, name)) for name in names if name.endswith('.swift')]
        self.defined, self.members = collections.defaultdict(list), collections.defaultdict(list)
        for file in self.files:
            for name in list(file.types) + list(file.functions):
                self.defined[name].append(file)
            for name in file.members:
                self.members[name].append(file)
        self.nested = {name for file in self.files for name in file.nested}
        # (from, to)[name] = files
        self.uses = collections.defaultdict(lambda: collections.defaultdict(set))
        for file in self.files:
            self.count(file)

    def isBelow(self, file, other):
        return self.targets.index(other.target) >= self.targets.index(file.target)

    def count(self, file):
        for name, isDotted, isLabel in file.uses():
            if isLabel or name in file.generics or name in file.nested and name not in file.types:
                continue
            found, label = None, name
            if name in self.defined and not isDotted:
                if name[0].isupper() or name not in file.local:
                    places = [other for other in self.defined[name] if other is file or name not in other.private]
                    same = [other for other in places if other.target == file.target]
                    same = same or [other for other in places if self.isBelow(file, other)]
                    if file not in places and len({other.room for other in same}) == 1:
                        found = same[0]
            elif self.isMember(name, isDotted, file):
                places = self.members[name]
                if len({other.room for other in places}) == 1 and self.isBelow(file, places[0]):
                    found, label = places[0], '.' + name
            if found and found.room != file.room:
                self.uses[file.room, found.room][label].add(os.path.basename(file.path))

    def isMember(self, name, isDotted, file):
        if name not in self.members or name in COMMON or len(name) <= 3 or name in file.members or name in file.hidden:
            return False
        if name in self.defined or name in self.nested and not isDotted:
            return False
        return isDotted or name not in file.local

    def upward(self):
        """(from, to, name, files) of each use that runs upward."""
        for (room, other), names in sorted(self.uses.items()):
            if ORDER.index(other) < ORDER.index(room) and not isInside(room, other) and not isInside(other, room):
                for name, files in sorted(names.items()):
                    if name not in ALLOWED:
                        yield room, other, name, sorted(files)


# What the compiler does not check, and the rooms that may use it. Of these only handles leave: `Address` and its like.
UNSAFE = re.compile(r"\b(Unsafe\w+|Unmanaged|OpaquePointer|\w*[uU]nsafe[A-Z]\w*|pointee)\b|unowned \( unsafe")
UNSAFE_ROOMS = ('PersistentObjects/Object/Memory', 'StoreEngine/SQLite', 'StoreEngine/Seam', 'PostgresEngine/Wire')


def unsafeUses(layers):
    for file in layers.files:
        if not file.room.startswith(UNSAFE_ROOMS):
            found = sorted(set(UNSAFE.findall(' '.join(file.tokens))) | {'CSQLite', 'CPostgres'} & set(file.imports))
            if found:
                yield f'{file.path} uses {", ".join(found)}: unsafe code stands in {", ".join(UNSAFE_ROOMS)}'


def printMatrix(layers):
    width = max(map(len, ORDER))
    print(' ' * (width + 12) + ' '.join(f'{i:>3}' for i in range(len(ORDER))))
    for i, room in enumerate(ORDER):
        files = [file for file in layers.files if file.room == room]
        row = [sum(map(len, layers.uses[room, other].values())) if (room, other) in layers.uses else 0 for other in ORDER]
        cells = ' '.join('  -' if other == room else f'{n or "":>3}' for n, other in zip(row, ORDER))
        print(f'{i:>2} {room:<{width}} {len(files):>3} {sum(f.lines for f in files):>5} {cells}')


def main():
    layers = Layers()
    problems = []
    rooms = {file.room for file in layers.files}
    problems += [f'{room} is in no order: add it to ORDER' for room in sorted(rooms - set(ORDER))]
    problems += [f'{room} is in ORDER, and is not there' for room in ORDER if room not in rooms]
    if problems:
        sys.exit('\n'.join(problems))
    if '--uses' in sys.argv:
        printMatrix(layers)
    for room, other, name, files in layers.upward():
        problems.append(f'{room} uses {name} of {other}, which is above it: ' + ', '.join(files))
    problems += unsafeUses(layers)
    for room in ORDER:
        head = f'// {room.split("/")[-1]}: '
        if not any(file.room == room and file.text.startswith(head) for file in layers.files):
            problems.append(f'{room} has no head paragraph: one of its files begins with "{head}what it knows …"')
        count = sum(file.room == room for file in layers.files)
        if count > 26:
            problems.append(f'{room} has {count} files: it is two rooms')
    if problems:
        sys.exit('\n'.join(problems) + f'\nlayers: {len(problems)} problems')
    print(f'layers: {len(ORDER)} rooms, {len(layers.files)} files, no use runs upward')


if __name__ == '__main__':
    main()
