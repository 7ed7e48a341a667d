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

/// Reading or overwriting an object while the program is in the middle of an access to one of its fields.
@Suite(.ownProcesses) struct ExclusivityTests {
    final class Busy: PersistentObject {
        var data = Data([3, 1, 2])
        var numbers = [3, 1, 2]
        var texts = ["b", "a"]
        var scores = ["a": 1]
        var padded = PaddedValue()
        var text = "t"
    }

    /// Runs `body` with a saved object in a process that is about to crash, without the backtrace, which takes
    /// minutes.
    private static func inExitTest(_ body: (Busy) throws -> Void) throws {
        for signal in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV] { _ = Foundation.signal(signal, SIG_DFL) }
        try Store.inMemory().withSession { _ in
            let busy = Busy()
            try busy.save()
            try body(busy)
        }
    }

    // The runtime reports "Simultaneous accesses" and stops the process. Continuing would be a use after free.

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

    @Test func `reading hasChanges inside withUnsafeMutableBufferPointer stops the process`() async {
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

    // Read accesses, and modifications of other fields, do not conflict.

    @Test func `saving, fetching and reading changes work inside a read of a field`() throws {
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

    @Test func `a reload inside a read of a field works if the field does not change, and refreshes other fields`()
        throws
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

    @Test func `a revert of one field works inside a modification of another field`() throws {
        try Store.inMemory().withSession { _ in
            let busy = Busy()
            try busy.save()
            busy.text = "u"
            // Plain values and strings have no buffer that could be shared during the write.
            func inside(_ padded: inout PaddedValue) {
                padded.number = 7
                busy.revert(\.text)
            }
            inside(&busy.padded)
            #expect(busy.text == "t" && busy.changes.map(\.name) == ["padded"])
            busy.revert()
        }
    }

    @Test func `a loop over a field that a reload replaces iterates over the old value`() throws {
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

/// Changes a row of `Busy` in another session.
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
