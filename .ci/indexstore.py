"""Reads the index that the compiler writes beside each debug build: which file defines a symbol, and which use it.

It calls the toolchain's own libIndexStore. A symbol is known by its USR, the compiler's name for exactly one declaration.
"""
import collections
import ctypes
import glob
import os
import shutil

DEFINITION, REFERENCE, IMPLICIT = 1 << 1, 1 << 2, 1 << 8
CHILD, BASE, OVERRIDE, CALLED, CONTAINED = 1 << 9, 1 << 10, 1 << 11, 1 << 13, 1 << 16  # relations
STORES = ".build/*/debug/index/store"
RECORD = 2  # the kind of dependency that names a unit's record


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


OF_TEXT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)
OF_POINTER = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)


def load():
    compiler = os.path.realpath(shutil.which("swiftc"))
    library = ctypes.CDLL(os.path.join(os.path.dirname(compiler), "..", "lib", "libIndexStore.so"))
    pointer, text, number = ctypes.c_void_p, Text, ctypes.c_uint64
    for name, result, arguments in [
        ("store_create", pointer, [ctypes.c_char_p, pointer]),
        ("store_units_apply_f", ctypes.c_bool, [pointer, ctypes.c_uint, pointer, OF_TEXT]),
        ("unit_reader_create", pointer, [pointer, ctypes.c_char_p, pointer]),
        ("unit_reader_dispose", None, [pointer]),
        ("unit_reader_get_main_file", text, [pointer]),
        ("unit_reader_get_modification_time", None, [pointer, pointer, pointer]),
        ("unit_reader_dependencies_apply_f", ctypes.c_bool, [pointer, pointer, OF_POINTER]),
        ("unit_dependency_get_kind", ctypes.c_int, [pointer]),
        ("unit_dependency_get_filepath", text, [pointer]),
        ("unit_dependency_get_name", text, [pointer]),
        ("record_reader_create", pointer, [pointer, ctypes.c_char_p, pointer]),
        ("record_reader_dispose", None, [pointer]),
        ("record_reader_occurrences_apply_f", ctypes.c_bool, [pointer, pointer, OF_POINTER]),
        ("occurrence_get_symbol", pointer, [pointer]),
        ("occurrence_get_roles", number, [pointer]),
        ("occurrence_get_line_col", None, [pointer, ctypes.POINTER(ctypes.c_uint), ctypes.POINTER(ctypes.c_uint)]),
        ("occurrence_relations_apply_f", ctypes.c_bool, [pointer, pointer, OF_POINTER]),
        ("symbol_relation_get_roles", number, [pointer]),
        ("symbol_relation_get_symbol", pointer, [pointer]),
        ("symbol_get_name", text, [pointer]),
        ("symbol_get_usr", text, [pointer]),
    ]:
        function = getattr(library, "indexstore_" + name)
        function.restype, function.argtypes = result, arguments
    return library


class Index:
    """The content of the newest index of each file in `folder`.

    `definitions` maps a USR to the files that define it; `references` maps a file to its uses: each USR to its name
    and the line of the first use. Uses that the compiler adds by itself are left out.

    `names` maps a USR to its name; `parents` a member to its type; `bases` a class to its superclass and protocols;
    `overridden` a method to the methods that it overrides; `users` a symbol to the declarations that use it.
    """

    def __init__(self, store, folder):
        self.library = load()
        self.folder = os.path.realpath(folder) + os.sep
        self.store = self.library.indexstore_store_create(store.encode(), None)
        if not self.store:
            raise SystemExit(f"{store} is not an index that this toolchain reads")
        self.definitions, self.references, self.names, self.parents = {}, {}, {}, {}
        self.bases, self.overridden, self.users = (collections.defaultdict(set) for _ in range(3))
        for file, record in self.records().items():
            self.read(file, record)

    def records(self):
        """The newest record of each file that is still there."""
        newest = {}

        def unit(_, name):
            reader = self.library.indexstore_unit_reader_create(self.store, str(name).encode(), None)
            if not reader:
                return True
            file = os.path.realpath(str(self.library.indexstore_unit_reader_get_main_file(reader)))
            if file.startswith(self.folder) and os.path.exists(file):
                seconds, nanoseconds = ctypes.c_int64(), ctypes.c_int64()
                self.library.indexstore_unit_reader_get_modification_time(
                    reader, ctypes.addressof(seconds), ctypes.addressof(nanoseconds))
                time = (seconds.value, nanoseconds.value)

                def dependency(_, found):
                    if self.library.indexstore_unit_dependency_get_kind(found) == RECORD:
                        path = os.path.realpath(str(self.library.indexstore_unit_dependency_get_filepath(found)))
                        if path == file and time >= newest.get(file, ((0, 0), ""))[0]:
                            newest[file] = (time, str(self.library.indexstore_unit_dependency_get_name(found)))
                    return True

                self.library.indexstore_unit_reader_dependencies_apply_f(reader, None, OF_POINTER(dependency))
            self.library.indexstore_unit_reader_dispose(reader)
            return True

        self.library.indexstore_store_units_apply_f(self.store, 0, None, OF_TEXT(unit))
        return {file: record for file, (_, record) in newest.items()}

    def read(self, file, record):
        library, used = self.library, self.references.setdefault(file, {})
        reader = library.indexstore_record_reader_create(self.store, record.encode(), None)
        line, column = ctypes.c_uint(), ctypes.c_uint()

        def occurrence(_, found):
            roles = library.indexstore_occurrence_get_roles(found)
            if roles & IMPLICIT or not roles & (DEFINITION | REFERENCE):
                return True
            symbol = library.indexstore_occurrence_get_symbol(found)
            usr = str(library.indexstore_symbol_get_usr(symbol))
            self.names[usr] = str(library.indexstore_symbol_get_name(symbol))

            def relation(_, found):
                kinds = library.indexstore_symbol_relation_get_roles(found)
                other = library.indexstore_symbol_relation_get_symbol(found)
                other = str(library.indexstore_symbol_get_usr(other))
                if kinds & BASE:
                    self.bases[other].add(usr)
                if kinds & OVERRIDE:
                    self.overridden[usr].add(other)
                if kinds & CHILD and roles & DEFINITION:
                    self.parents[usr] = other
                if kinds & (CALLED | CONTAINED):
                    self.users[usr].add(other)
                return True

            library.indexstore_occurrence_relations_apply_f(found, None, OF_POINTER(relation))
            if roles & DEFINITION:
                self.definitions.setdefault(usr, set()).add(file)
            elif usr not in used:
                library.indexstore_occurrence_get_line_col(found, ctypes.byref(line), ctypes.byref(column))
                used[usr] = (self.names[usr], line.value)
            return True

        library.indexstore_record_reader_occurrences_apply_f(reader, None, OF_POINTER(occurrence))
        library.indexstore_record_reader_dispose(reader)


def newest(folder):
    """The index of the newest debug build of the package in the current folder."""
    stores = glob.glob(STORES)
    if not stores:
        raise SystemExit("there is no index. Run `swift build --build-tests` first")
    return Index(max(stores, key=os.path.getmtime), folder)
