import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What happens when an object is read or overwritten while the user is in the middle of an access to a field.
@Suite struct ExclusivityTests {
    final class Busy: PersistentObject {
        var data = Data([3, 1, 2])
        var numbers = [3, 1, 2]
        var texts = ["b", "a"]
        var scores = ["a": 1]
        var padded = PaddedValue()
        var text = "t"
    }

    /// Runs `body` with a saved object, in a process that is about to end: without the backtrace, which takes minutes.
    private static func inExitTest(_ body: (Busy) throws -> Void) throws {
        for signal in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV] { _ = Foundation.signal(signal, SIG_DFL) }
        try Store.inMemory().withSession { _ in
            let busy = Busy()
            try busy.save()
            try body(busy)
        }
    }

    // The run time says "Simultaneous accesses" and stops; going on would be a use after free.

    @Test func `a reload inside withUnsafeMutableBytes stops the process`() async {
        await #expect(processExitsWith: .failure) {
            try ExclusivityTests.inExitTest { busy in
                let id = try #require(busy.id)
                try busy.data.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in
                    try CurrentRow.change(id)
                    bytes[0] = 9
                    try busy.reload()
                }
            }
        }
    }

    @Test func `a revert inside sort stops the process`() async {
        await #expect(processExitsWith: .failure) {
            try ExclusivityTests.inExitTest { busy in
                busy.numbers.append(0)
                busy.numbers.sort { a, b in
                    busy.revert()
                    return a < b
                }
            }
        }
    }

    @Test func `a save inside withUnsafeMutableBufferPointer stops the process`() async {
        await #expect(processExitsWith: .failure) {
            try ExclusivityTests.inExitTest { busy in
                try busy.numbers.withUnsafeMutableBufferPointer { numbers in
                    numbers[0] = 9
                    try busy.save()
                }
            }
        }
    }

    @Test func `asking for changes inside withUnsafeMutableBufferPointer stops the process`() async {
        await #expect(processExitsWith: .failure) {
            try ExclusivityTests.inExitTest { busy in
                busy.texts.withUnsafeMutableBufferPointer { texts in
                    texts[0] = "x"
                    _ = busy.hasChanges
                }
            }
        }
    }

    @Test func `setting by name inside a modification stops the process`() async {
        await #expect(processExitsWith: .failure) {
            try ExclusivityTests.inExitTest { busy in
                try busy.texts.withUnsafeMutableBufferPointer { _ in try busy.set("texts", to: ["y"]) }
            }
        }
    }

    @Test func `the first save of a new object inside a modification stops the process`() async {
        await #expect(processExitsWith: .failure) {
            try ExclusivityTests.inExitTest { _ in
                let new = Busy()
                try new.data.withUnsafeMutableBytes { (_: UnsafeMutableRawBufferPointer) in try new.save() }
            }
        }
    }

    // Reading accesses, and modifications of other fields, disturb nothing.

    @Test func `saving, asking and finding inside a read of the field go on`() throws {
        try Store.inMemory().withSession { _ in
            let busy = Busy()
            try busy.save()
            busy.text = "u"
            let changed = busy.numbers.map { _ in busy.hasChanges }
            expect(changed, [true, true, true])
            try busy.data.withUnsafeBytes { _ in try busy.save() }
            try busy.numbers.withUnsafeBufferPointer { _ in
                _ = try Busy.all()
                try busy.save()
                #expect(!busy.hasChanges)
            }
            for text in busy.texts where text == "a" { try busy.reload() }
            expect(busy.text, "u")
        }
    }

    @Test func `a reload that changes nothing in the field goes on inside a read of it, and overwrites others`() throws
    {
        try withTemporarySession { _, file in
            let busy = Busy()
            try busy.save()
            _ = try file.sqlite("UPDATE busy SET text = 'new'")
            try busy.numbers.withUnsafeBufferPointer { numbers in
                try busy.reload()
                expect(numbers[0], 3)
            }
            #expect(busy.text == "new" && !busy.hasChanges)
        }
    }

    @Test func `a modification of one field does not stand in the way of another's revert`() throws {
        try Store.inMemory().withSession { _ in
            let busy = Busy()
            try busy.save()
            busy.text = "u"
            // Plain data and texts have no buffer that could be shared while it is written.
            func inside(_ padded: inout PaddedValue) {
                padded.number = 7
                busy.revert(\.text)
            }
            inside(&busy.padded)
            #expect(busy.text == "t" && busy.changes.map(\.name) == ["padded"])
            busy.revert()
        }
    }

    @Test func `iterating over a field that a reload replaces goes over what it was`() throws {
        try withTemporarySession { _, file in
            let busy = Busy()
            try busy.save()
            _ = try file.sqlite(
                "DELETE FROM busy_texts; DELETE FROM busy_numbers; INSERT INTO busy_numbers VALUES (1, 5, 7)")
            var seen: [Int] = []
            for number in busy.numbers {
                try busy.reload()
                seen.append(number)
            }
            #expect(seen == [3, 1, 2] && busy.numbers == [7] && busy.texts.isEmpty)
        }
    }
}

/// Changes a row of `Busy` as another session would.
private enum CurrentRow {
    static func change(_ id: Int64) throws {
        let store = try ExclusivityTests.Busy.find(id).flatMap { ($0.keeper as? IdentityMap)?.session?.store }
        try store?.withSession { _ in
            let other = try ExclusivityTests.Busy.find(id)
            other?.data = Data([7, 7, 7, 7])
            try other?.save()
        }
    }
}
