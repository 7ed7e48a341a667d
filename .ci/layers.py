#!/usr/bin/env python3
"""Checks that the rooms of `Sources` are layers: a room uses only the rooms below it.

A room is a folder. ORDER lists all rooms, top first. A room and the rooms inside it belong together and may use each
other; the rooms inside it may use only lower rooms among each other. The compiler's index defines the uses, so the
package must be built first. ALLOWED lists the names that lower rooms may use, with the reasons. Each room needs a head
paragraph, which is the comment at the start of one of its files: `// Room: what it knows, and what it must not know.`
The source files named in the guides for developers must exist.

Run it from the root of the package: `.ci/layers.py`. `.ci/layers.py --uses` also prints the matrix of uses.
`.ci/layers.py --folders` checks what needs no build: the list, the head paragraphs, the sizes and the guides.
"""
import collections
import os
import re
import sys

import indexstore

# All rooms, top first.
ORDER = """
SyncService
InspectorServer
InspectorServer/Pages
LoopbackHTTP
PersistentInspector
PersistentInspector/Pages
PersistentInspector/Pages/Forms
PersistentInspector/Commands
PersistentInspector/Editing
PersistentInspector/Printing
PersistentInspector/File
PersistentObjectsTesting
PersistentObjectsTesting/Transports
PersistentObjectsTesting/Finders
PersistentTransfer/Foreign
PersistentTransfer/Copying
PersistentTransfer
PersistentSync/Interface
PersistentSync/Rounds
PersistentSync/Transports
PersistentSync/Stored
PersistentSync/Apply
PersistentSync/Capture
PersistentSync/File
PersistentSync/Members
PersistentSync/Wire
PersistentSync/Groups
PersistentSync/Merge
PersistentSync/State
PersistentSync/Clocks
PersistentSync/Problems
PersistentObjects/Care
PersistentObjects/Care/Integrity
PersistentObjects/JSONValues
PersistentObjects/Events
PersistentObjects/Finders
PersistentObjects/Queries/Joins
PersistentObjects/Queries/Pages
PersistentObjects/Queries/Classes
PersistentObjects/Queries
PersistentObjects/Queries/Values
PersistentObjects/Queries/Terms
PersistentObjects/Migration
PersistentObjects/RawSQL
PersistentObjects/RemoteChanges
PersistentObjects/Undo/Snapshots
PersistentObjects/Undo
PersistentObjects/Transaction
PersistentObjects/Save
PersistentObjects/Save/Plain
PersistentObjects/Save/Conflicts
PersistentObjects/Save/Before
PersistentObjects/Save/Collections
PersistentObjects/Delete
PersistentObjects/Fetch
PersistentObjects/Fetch/Graph
PersistentObjects/Session/Opening
PersistentObjects/Session
PersistentObjects/Session/Writing
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
PersistentObjects/Schema/Sealed
PersistentObjects/Schema/Moves
PersistentObjects/Schema/Triggers
PersistentObjects/Schema/Collections
PersistentObjects/Schema/Record
PersistentObjects/Schema/Indexes
PersistentObjects/Schema/Conversion
PersistentObjects/Schema/Foreign
PersistentObjects/FinderNames
PersistentObjects/FinderNames/Grammar
PersistentObjects/Statements
PersistentObjects/Sealed
PersistentObjects/Conditions
PersistentObjects/Conditions/Elements
PersistentObjects/Conditions/Arguments
PersistentObjects/Conditions/Paths
PersistentObjects/Conditions/Errors
PersistentObjects/Mapping
PersistentObjects/Mapping/Timestamps
PersistentObjects/Mapping/Described
PersistentObjects/Mapping/Triggers
PersistentObjects/Mapping/Sealed
PersistentObjects/Mapping/Baseline
PersistentObjects/Mapping/Codecs
PersistentObjects/Mapping/Codecs/Foreign
PersistentObjects/Mapping/Codecs/Collections
PersistentObjects/Mapping/Codecs/JSON
PersistentObjects/Mapping/Codecs/Scalars
PersistentObjects/Object
PersistentObjects/Object/Observation
PersistentObjects/Object/Memory
PersistentObjects/Object/Memory/Metadata
PersistentObjects/Object/Wrappers
PersistentObjects/Object/Problems
Sealing
PostgresEngine
PostgresEngine/Events
PostgresEngine/Undo
PostgresEngine/Schema
PostgresEngine/Statements
PostgresEngine/Wire
StoreEngine/Watching
StoreEngine/SQLite/Functions
StoreEngine/SQLite/Foreign
StoreEngine/SQLite
StoreEngine/SQLite/Upkeep
StoreEngine/SQLite/Sealed
StoreEngine/SQLite/Schema
StoreEngine/SQLite/Changes
StoreEngine/FileWatching
StoreEngine/Seam
StoreEngine/Seam/Files
StoreEngine/Seam/Changes
StoreEngine/Seam/Statements
StoreEngine/SQL
StoreEngine/JSON
StoreEngine/Values
StoreEngine/Locks
""".split()

# Names that lower rooms may use, and why.
ALLOWED = {
    "Store": "the overridable class member `store` refers to it, and Swift cannot override a member of an extension",
    "Condition": "the overridable class member `defaultScope` refers to it",
    "none": "it is the default of `defaultScope`",
    "FinderOperator": "the overridable class member `finderOperators` refers to it",
    "load(_:of:strictly:)": "the identity map loads missing values: it overrides a method of the object's keeper",
    "find(_:_:)": "a revert reads the target of a reference if the target was released",
    "engine(_:message:sql:systemError:)": "errors for values that cannot be bound or read contain a SQLite result code",
}

GUIDES = ('Docs/Architecture.md', 'Docs/Mechanisms.md')

# Unsafe names, which the compiler does not check, and the rooms that may use them. These rooms export only handles,
# such as `Address`.
UNSAFE = re.compile(r"^(Unsafe\w+|Unmanaged|OpaquePointer|\w*[uU]nsafe[A-Z].*|pointee)$")
UNSAFE_TEXT = re.compile(
    r"^[^/\n]*(unowned\(unsafe\)|import (?:CSQLite|CPostgres|CMicrohttpd)$)", re.MULTILINE)
UNSAFE_ROOMS = ('PersistentObjects/Object/Memory', 'StoreEngine/SQLite', 'StoreEngine/Seam', 'StoreEngine/Locks',
                'PostgresEngine/Wire', 'Sealing', 'LoopbackHTTP')


# A file that is empty without a trait has no index.
CONDITIONAL = re.compile(r"\A(//[^\n]*\n|\n)*#if Sync\n")


def isInside(room, other):
    return room.startswith(other + '/')


def room(path):
    return os.path.dirname(os.path.relpath(path, os.path.realpath('Sources')))


class Folders:
    """All files of the rooms."""

    def __init__(self):
        self.files = collections.defaultdict(dict)  # room: {path: text}
        for target in dict.fromkeys(room.split('/')[0] for room in ORDER):
            for folder, _, names in os.walk(os.path.join(os.path.realpath('Sources'), target)):
                for name in names:
                    if name.endswith('.swift'):
                        path = os.path.join(folder, name)
                        with open(path, encoding='utf-8') as file:
                            self.files[room(path)][path] = file.read()

    def problems(self):
        yield from (f'{room} is not in ORDER. Add it' for room in sorted(set(self.files) - set(ORDER)))
        yield from (f'{room} is in ORDER, but the folder does not exist' for room in ORDER if room not in self.files)
        for room, files in self.files.items():
            head = f'// {room.split("/")[-1]}: '
            if not any(text.startswith(head) for text in files.values()):
                yield f'{room} has no head paragraph. Begin one of its files with "{head}what it knows …"'
            if len(files) > 25:
                yield f'{room} has {len(files)} files, at most 25. Split it'
        names = {os.path.basename(path) for files in self.files.values() for path in files}
        for guide in GUIDES:
            with open(guide, encoding='utf-8') as file:
                named = set(re.findall(r'`(?:[\w/]+/)?([\w+]+\.swift)`', file.read()))
            for name in sorted(named - names):
                yield f'{guide} refers to {name}, which does not exist'


class Layers:
    """The uses of other rooms in each file."""

    def __init__(self, files):
        self.files = files
        self.index = indexstore.newest('Sources')
        self.uses = collections.defaultdict(list)  # (from, to, name): ["File.swift:line"]
        for user, files in self.files.items():
            for path in files:
                for usr, (name, line) in self.index.references.get(path, {}).items():
                    for used in {room(other) for other in self.index.definitions.get(usr, ())} - {user}:
                        self.uses[user, used, name].append(f'{os.path.basename(path)}:{line}')

    def isUpward(self, user, used):
        return ORDER.index(used) < ORDER.index(user) and not isInside(user, used) and not isInside(used, user)

    def problems(self):
        for room in ORDER:
            for path, text in sorted(self.files[room].items()):
                if path not in self.index.references and not CONDITIONAL.search(text):
                    yield f'{path} is not in the index. Build the package first'
                if not room.startswith(UNSAFE_ROOMS):
                    names = {name for name, _ in self.index.references.get(path, {}).values()}
                    found = sorted(filter(UNSAFE.match, names)) + UNSAFE_TEXT.findall(text)
                    if found:
                        yield f'{path} uses {", ".join(found)}. Unsafe code belongs in {", ".join(UNSAFE_ROOMS)}'
        for (user, used, name), places in sorted(self.uses.items()):
            if used in ORDER and self.isUpward(user, used) and name not in ALLOWED:
                yield f'{user} uses {name} of the higher room {used}: ' + ', '.join(places)


def printMatrix(layers):
    width = max(map(len, ORDER))
    counts = collections.Counter()
    for (user, used, _), places in layers.uses.items():
        counts[user, used] += len(places)
    print(' ' * (width + 12) + ' '.join(f'{i:>4}' for i in range(len(ORDER))))
    for i, room in enumerate(ORDER):
        lines = sum(text.count('\n') for text in layers.files[room].values())
        cells = ' '.join('   -' if other == room else f'{counts[room, other] or "":>4}' for other in ORDER)
        print(f'{i:>2} {room:<{width}} {len(layers.files[room]):>3} {lines:>5} {cells}')


def stop(problems):
    if problems:
        sys.exit('\n'.join(problems) + f'\nlayers: {len(problems)} problems')


def main():
    folders = Folders()
    stop(list(folders.problems()))
    files = sum(map(len, folders.files.values()))
    if '--folders' in sys.argv:
        print(f'layers: {len(ORDER)} rooms, {files} files')
        return
    layers = Layers(folders.files)
    if '--uses' in sys.argv:
        printMatrix(layers)
    stop(list(layers.problems()))
    print(f'layers: {len(ORDER)} rooms, {files} files, {len(layers.uses)} uses of other rooms, none of a higher room')


if __name__ == '__main__':
    main()
