internal import Foundation
@_spi(Locks) internal import StoreEngine

/// Decodes values from JSON as `JSONDecoder` does, at less than half of its cost, or not at all.
///
/// If a result might differ, or an error occurs, the caller must use `JSONDecoder`, which then also reports the error.
/// An initializer that the user wrote may therefore run twice.
enum PlainJSONDecoder {
    /// The number of refusals per type; after too many refusals, a type is no longer tried.
    private static let refusals = Locked<[ObjectIdentifier: Int]>([:])
    private static let most = 64

    /// Nil if `JSONDecoder` must be used.
    static func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) -> T? {
        guard !isUnsupported(type) else { return nil }
        let value = decodeAlways(type, from: bytes)
        if value == nil { refusals.withLock { $0[ObjectIdentifier(type), default: 0] += 1 } }
        return value
    }

    static func isUnsupported(_ type: Any.Type) -> Bool {
        refusals.withLock { ($0[ObjectIdentifier(type)] ?? 0) >= most }
    }

    /// The same, regardless of earlier refusals.
    static func decodeAlways<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) -> T? {
        guard let json = PlainJSON(bytes) else { return nil }
        var document = PlainDocument(json)
        guard let value = try? document.value(type, at: 0), document.isAnswered,
            // If the user's code kept a decoder, it could use it later, when refusals are no longer checked.
            isKnownUniquelyReferenced(&document)
        else { return nil }
        return value
    }
}

/// The shared state of the decoders of one text.
final class PlainDocument {
    let json: PlainJSON
    /// Whether all requests were answered.
    private(set) var isAnswered = true

    init(_ json: PlainJSON) { self.json = json }

    /// The request must be handled by `JSONDecoder`.
    struct Refusal: Error {}

    /// Records a refusal, because the receiver of the error may catch it and continue.
    func refuse() -> Refusal {
        isAnswered = false
        return Refusal()
    }

    func answer<T>(_ value: T?) throws -> T {
        guard let value else { throw refuse() }
        return value
    }

    func value<T: Decodable>(_ type: T.Type, at place: Int) throws -> T {
        // These types have special JSON forms; other types, including dates, decode themselves.
        if type == Data.self || type == URL.self || type == Decimal.self { throw refuse() }
        return try T(from: PlainDecoder(document: self, place: place))
    }
}

/// The decoder of one value.
struct PlainDecoder: Decoder {
    let document: PlainDocument
    let place: Int

    /// Refused, because the path is for errors, which are not reported here.
    var codingPath: [any CodingKey] {
        _ = document.refuse()
        return []
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<K: CodingKey>(keyedBy type: K.Type) throws -> KeyedDecodingContainer<K> {
        let value = document.json.values[place]
        // Names are searched sequentially.
        guard value.kind == .object, value.count <= 200 else { throw document.refuse() }
        return KeyedDecodingContainer(PlainMembers<K>(document: document, place: place))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard document.json.values[place].kind == .array else { throw document.refuse() }
        return PlainElements(document, place)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension PlainDecoder: SingleValueDecodingContainer {
    private func integer<T: FixedWidthInteger>() throws -> T { try document.answer(document.json.integer(place)) }

    func decodeNil() -> Bool { document.json.values[place].kind == .null }
    func decode(_ type: Bool.Type) throws -> Bool { try document.answer(document.json.bool(place)) }
    func decode(_ type: String.Type) throws -> String { try document.answer(document.json.text(place)) }
    func decode(_ type: Double.Type) throws -> Double { try document.answer(document.json.real(place)) }
    func decode(_ type: Float.Type) throws -> Float { throw document.refuse() }
    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: Int128.Type) throws -> Int128 { throw document.refuse() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
    func decode(_ type: UInt128.Type) throws -> UInt128 { throw document.refuse() }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try document.value(type, at: place) }
}
