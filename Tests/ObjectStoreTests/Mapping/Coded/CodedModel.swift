@testable import PersistentObjects

// Classes as a framework would declare them: no initializer of the library, and values that change in place.

class Paint {
    var red: Int
    var green: Int
    init(_ red: Int, _ green: Int) { (self.red, self.green) = (red, green) }
    var isHidden = false
}

/// A subclass as a class cluster returns it.
final class GlossyPaint: Paint {}

/// A comparable structure of the framework.
struct Release: Comparable, Hashable {
    var major: Int
    var minor: Int
    static func < (a: Release, b: Release) -> Bool { (a.major, a.minor) < (b.major, b.minor) }
}

struct CodedError: Error, CustomStringConvertible { let description: String }

enum PaintCodec: ValueCodec {
    static var columnType: ColumnType { .text }
    static func encode(_ paint: Paint) throws -> DatabaseValue {
        guard paint.red >= 0 else { throw CodedError(description: "there is no red below 0") }
        return .text("\(paint.red),\(paint.green)")
    }
    static func decode(_ stored: DatabaseValue) throws -> Paint {
        guard case .text(let text) = stored else { throw CodedError(description: "no text") }
        let numbers = text.split(separator: ",").compactMap { Int($0) }
        guard numbers.count == 2 else { throw CodedError(description: "\(text) is no paint") }
        return Paint(numbers[0], numbers[1])
    }
    static var samples: [Paint] { [Paint(1, 2), Paint(3, 4)] }
}

extension Paint: CodedValue { typealias PersistentCodec = PaintCodec }

enum ReleaseCodec: ValueCodec {
    static var columnType: ColumnType { .integer }
    static var isOrdered: Bool { true }
    static func encode(_ version: Release) -> DatabaseValue { .integer(Int64(version.major * 1000 + version.minor)) }
    static func decode(_ stored: DatabaseValue) throws -> Release {
        guard case .integer(let number) = stored else { throw CodedError(description: "no number") }
        return Release(major: Int(number / 1000), minor: Int(number % 1000))
    }
}

extension Release: CodedValue { typealias PersistentCodec = ReleaseCodec }

struct Shade: Comparable, Hashable, Codable {
    var name: String
    static func < (a: Shade, b: Shade) -> Bool { a.name < b.name }
}

enum ShadeCodec: ValueCodec {
    static var columnType: ColumnType { .text }
    static func encode(_ shade: Shade) -> DatabaseValue { .text("shade \(shade.name)") }
    static func decode(_ stored: DatabaseValue) throws -> Shade {
        guard case .text(let text) = stored, text.hasPrefix("shade ") else { throw CodedError(description: "no shade") }
        return Shade(name: String(text.dropFirst(6)))
    }
}

extension Shade: CodedValue { typealias PersistentCodec = ShadeCodec }

class Wall: PersistentObject {
    var paint = Paint(1, 1)
    var trim: Paint?
    var version: Release?
    var shade = Shade(name: "none")
    var layers: [Paint] = []
    var byRoom: [String: Paint] = [:]
    var versions: Set<Release> = []
}

/// A type whose codec returns a value that its column cannot hold.
struct Odd {}

enum OddCodec: ValueCodec {
    static var columnType: ColumnType { .integer }
    static func encode(_: Odd) -> DatabaseValue { .text("x") }
    static func decode(_: DatabaseValue) -> Odd { Odd() }
}

extension Odd: CodedValue { typealias PersistentCodec = OddCodec }

final class OddOwner: PersistentObject { var odd = Odd() }
final class GlossOwner: PersistentObject { var paint: GlossyPaint? }
