internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// An archive by `NSKeyedArchiver` that contains strings, numbers, dates, bytes, and lists and dictionaries of these.
///
/// Objects are recognized by their class names. These classes are never instantiated, because a file can name any
/// class.
struct KeyedArchive {
    private let list: BinaryPropertyList
    /// The numbers of the archive's objects in the property list.
    private let objects: [Int]
    private let root: Int
    /// The number of values that may still be created.
    ///
    /// The number is limited, because a few bytes can refer to the same list many times, on many levels.
    private var left: Int

    private static let deepest = 40

    /// The value that an archive holds.
    static func json(_ bytes: [UInt8]) throws(ValueFault) -> JSONValue {
        do {
            var archive = try KeyedArchive(bytes)
            return try archive.object(archive.root, 0)
        } catch let fault as ValueFault { throw fault } catch {
            throw .notStorable(reason: "the archive is damaged")
        }
    }

    private init(_ bytes: [UInt8]) throws {
        let list = try BinaryPropertyList(bytes)
        left = 10_000 + bytes.count
        let parts = try KeyedArchive.members(list, list.item(list.top))
        guard case .list(let objects)? = try parts["$objects"].map({ try list.item($0) }),
            let top = try parts["$top"].map({ try KeyedArchive.members(list, list.item($0)) }),
            case .uid(let root)? = try top["root"].map({ try list.item($0) })
        else { throw BinaryPropertyList.Fault() }
        self.list = list
        self.objects = objects
        self.root = root
    }

    /// The members of a dictionary, by name.
    private static func members(
        _ list: BinaryPropertyList, _ item: BinaryPropertyList.Item
    ) throws -> [String: Int] {
        guard case .dictionary(let keys, let values) = item else { throw BinaryPropertyList.Fault() }
        var members: [String: Int] = [:]
        for (key, value) in zip(keys, values) {
            guard case .text(let name) = try list.item(key) else { throw BinaryPropertyList.Fault() }
            members[name] = value
        }
        return members
    }

    /// An object of the archive.
    private mutating func object(_ number: Int, _ depth: Int) throws -> JSONValue {
        left -= 1
        guard number < objects.count, depth < KeyedArchive.deepest, left > 0 else { throw BinaryPropertyList.Fault() }
        let item = try list.item(objects[number])
        if case .dictionary = item { return try instance(try KeyedArchive.members(list, item), depth) }
        if case .text("$null") = item { return .null }
        return try KeyedArchive.plain(item)
    }

    private static func plain(_ item: BinaryPropertyList.Item) throws -> JSONValue {
        switch item {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let number): return .number(String(number))
        case .real(let number): return try ValueShape.real.json(.real(number))
        case .date(let seconds): return try ValueShape.date.json(.real(seconds))
        case .data(let bytes): return try ValueShape.bytes.json(.blob(bytes))
        case .text(let text): return .text(text)
        case .uid, .list, .dictionary: throw BinaryPropertyList.Fault()
        }
    }

    /// The value of a member, which is stored inline or as the number of an object.
    private mutating func value(_ name: String, _ members: [String: Int], _ depth: Int) throws -> JSONValue {
        guard let index = members[name] else { throw BinaryPropertyList.Fault() }
        let item = try list.item(index)
        if case .uid(let number) = item { return try object(number, depth + 1) }
        return try KeyedArchive.plain(item)
    }

    private mutating func values(_ name: String, _ members: [String: Int], _ depth: Int) throws -> [JSONValue] {
        guard let index = members[name], case .list(let references) = try list.item(index) else {
            throw BinaryPropertyList.Fault()
        }
        var values: [JSONValue] = []
        for reference in references {
            guard case .uid(let number) = try list.item(reference) else { throw BinaryPropertyList.Fault() }
            values.append(try object(number, depth + 1))
        }
        return values
    }

    private func className(_ members: [String: Int]) throws -> String {
        guard let index = members["$class"], case .uid(let number) = try list.item(index), number < objects.count,
            let name = try KeyedArchive.members(list, list.item(objects[number]))["$classname"],
            case .text(let text) = try list.item(name)
        else { throw BinaryPropertyList.Fault() }
        return text
    }

    private mutating func instance(_ members: [String: Int], _ depth: Int) throws -> JSONValue {
        let name = try className(members)
        switch name.replacing("Mutable", with: "") {
        case "NSArray", "NSSet": return .list(try values("NS.objects", members, depth))
        case "NSDictionary":
            let (keys, values) = (try values("NS.keys", members, depth), try values("NS.objects", members, depth))
            guard keys.count == values.count else { throw BinaryPropertyList.Fault() }
            var made: [JSONValue.Member] = []
            for (key, value) in zip(keys, values) {
                guard case .text(let text) = key else {
                    throw ValueFault.notStorable(reason: "the keys of the dictionary in the archive are not strings")
                }
                made.append(.init(name: text, value: value))
            }
            return .object(made.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
        case "NSString": return try value(members["NS.string"] == nil ? "NS.bytes" : "NS.string", members, depth)
        case "NSData": return try value("NS.data", members, depth)
        case "NSURL": return try value("NS.relative", members, depth)
        case "NSNull": return .null
        case "NSDate":
            guard case .number(let text) = try value("NS.time", members, depth), let seconds = Double(text) else {
                throw BinaryPropertyList.Fault()
            }
            return try ValueShape.date.json(.real(seconds))
        case "NSUUID":
            guard let index = members["NS.uuidbytes"], case .data(let bytes) = try list.item(index) else {
                throw BinaryPropertyList.Fault()
            }
            return try ValueShape.uuid.json(.blob(bytes))
        default:
            throw ValueFault.notStorable(
                reason:
                    "the archive contains the class \(VisibleText.of(name, 60)), but only strings, numbers, "
                    + "dates, bytes and lists of these can be converted")
        }
    }
}
