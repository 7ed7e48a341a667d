import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// Contradictory archives in valid property lists, which Foundation never writes.
struct DamagedArchiveTests {
    /// The items of a binary property list as bytes.
    private enum Item {
        static func text(_ text: String) -> [UInt8] { [0x5F, 0x10, UInt8(text.utf8.count)] + Array(text.utf8) }
        static func uid(_ number: UInt8) -> [UInt8] { [0x80, number] }
        static func list(_ references: [UInt8]) -> [UInt8] { [0xA0 | UInt8(references.count)] + references }
        static func dictionary(_ members: KeyValuePairs<UInt8, UInt8>) -> [UInt8] {
            [0xD0 | UInt8(members.count)] + members.map(\.key) + members.map(\.value)
        }
    }

    /// An archive with the objects "$null", an instance and its class. The items of the object list come first: the
    /// instance has the number 8, its class 11, and the given items start at 14.
    private static func archive(
        of className: String, _ members: KeyValuePairs<UInt8, UInt8>, _ more: [[UInt8]]
    ) -> Data {
        archive(instance: Item.dictionary(members), className, more)
    }

    private static func archive(instance: [UInt8], _ className: String, _ more: [[UInt8]]) -> Data {
        let items =
            [
                Item.dictionary([1: 3, 2: 4]), Item.text("$objects"), Item.text("$top"), Item.list([7, 8, 11]),
                Item.dictionary([5: 6]), Item.text("root"), Item.uid(1), Item.text("$null"), instance,
                Item.text("$class"), Item.uid(2), Item.dictionary([12: 13]), Item.text("$classname"),
                Item.text(className),
            ] + more
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for item in items {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
            bytes += item
        }
        let table = bytes.count
        func number(_ value: Int) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) } }
        return Data(bytes + offsets + [0, 0, 0, 0, 0, 0, 2, 1] + number(items.count) + number(0) + number(table))
    }

    @Test func `the archive writer of these tests creates readable archives`() throws {
        let whole = DamagedArchiveTests.archive(
            of: "NSArray", [9: 10, 14: 15], [Item.text("NS.objects"), Item.list([16]), Item.uid(0)])
        let (holder, report) = try KeyedArchiveTests.convert(["tree": Data("{}".utf8), "texts": whole])
        expect(report.leftOut.map { "\($0)" }.count, 2, "a null is no text: \(report)")
        #expect(holder != nil)
    }

    private static let refused: [(what: String, archive: Data)] = [
        ("a text that is not there", archive(of: "NSString", [9: 10], [])),
        (
            "a key without its value",
            archive(
                of: "NSDictionary", [9: 10, 14: 15, 16: 17],
                [Item.text("NS.keys"), Item.list([18]), Item.text("NS.objects"), Item.list([]), Item.uid(0)])
        ),
        ("a date that is a text", archive(of: "NSDate", [9: 10, 14: 15], [Item.text("NS.time"), Item.text("x")])),
        ("a UUID without its bytes", archive(of: "NSUUID", [9: 10], [])),
        ("a number of too many bytes", archive(instance: [0x8F, 0], "NSString", [])),
        (
            "bytes that go on behind the last object",
            archive(of: "NSData", [9: 10, 14: 15], [Item.text("NS.data"), [0x4E]])
        ),
        (
            "a length beyond the end",
            archive(instance: [0x5F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], "NSString", [])
        ),
        (
            "a list that goes on behind the last object",
            archive(of: "NSArray", [9: 10, 14: 15], [Item.text("NS.objects"), [0xAE]])
        ),
    ]

    @Test(arguments: refused)
    func `a contradictory archive is omitted with class and property`(
        _ what: String, _ archive: Data
    ) throws {
        let (holder, report) = try KeyedArchiveTests.convert(["tree": archive])
        expect(holder?.tree, KeyedArchiveTests.Tree(), "\(what)")
        expect(
            report.leftOut.map { "\($0)" }, ["table holder, row 1: Holder.tree: The archive is damaged"],
            "\(what): \(report)")
    }
}
