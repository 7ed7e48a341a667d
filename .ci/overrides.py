#!/usr/bin/env python3
"""Proves that no concrete class inherits an abstract method.

An abstract method is one that calls `mustOverride()`. A class that inherits one is abstract as well: it has subclasses,
and only their initializers call its own. The compiler's index says all of it, so the package has to be built first. Run
it from the root of the package.
"""
import collections
import sys

import indexstore


class Hierarchy:
    def __init__(self, index):
        self.index = index
        self.subclasses, self.members = collections.defaultdict(set), collections.defaultdict(set)
        for usr, bases in index.bases.items():
            for base in bases:
                self.subclasses[base].add(usr)
        for member, parent in index.parents.items():
            self.members[parent].add(member)

    def overrides(self, usr):
        """All methods that the members of a class override, however far above."""
        found, new = set(), set(self.members[usr])
        while new:
            found |= new
            new = {base for member in new for base in self.index.overridden[member]} - found
        return found

    def below(self, usr):
        return {usr}.union(*(self.below(subclass) for subclass in self.subclasses[usr]))

    def isCreated(self, usr):
        """Whether an initializer of the class is called by others than its subclasses."""
        initializers = {member for member in self.members[usr] if self.index.names[member].startswith('init(')}
        callers = {user for initializer in initializers for user in self.index.users[initializer]}
        return any(self.index.parents.get(caller) not in self.below(usr) for caller in callers)

    def above(self, usr):
        return {usr}.union(*(self.above(base) for base in self.index.bases[usr]))

    def problems(self, declaring, abstract):
        """The concrete classes that inherit a method of `abstract`, which `declaring` declares."""
        for usr in self.below(declaring):
            left = abstract.difference(*map(self.overrides, self.above(usr) - {declaring}))
            if left and (not self.subclasses[usr] or self.isCreated(usr)):
                methods = sorted(self.index.names[method] for method in left)
                yield f'{self.index.names[usr]} inherits the abstract {", ".join(methods)}'


def main():
    index = indexstore.newest('Sources')
    abstract = collections.defaultdict(set)  # class: its abstract methods
    for usr, name in list(index.names.items()):
        if name == 'mustOverride(_:)':
            for method in index.users[usr]:
                abstract[index.parents[method]].add(method)
    if not abstract:
        sys.exit('overrides: there are no abstract methods: this check has lost its subject')
    hierarchy = Hierarchy(index)
    problems = sorted(
        {problem for declaring, methods in abstract.items() for problem in hierarchy.problems(declaring, methods)})
    if problems:
        sys.exit('\n'.join(problems) + f'\noverrides: {len(problems)} problems')
    print(f'overrides: {sum(map(len, abstract.values()))} abstract methods, overridden by all concrete classes')


if __name__ == '__main__':
    main()
