internal import Foundation
internal import StoreEngine

/// The codec of the keys of a class's objects.
enum KeyCodecs {
    static func codec(for identity: PersistentObject.Identity) -> PropertyCodec? {
        switch identity {
        case .integer, .given: nil
        case .uuid: KeyCodec<UUIDKeyForm>(seenType: String?.self)
        case .string: KeyCodec<StringKeyForm>(seenType: String?.self)
        }
    }

    /// A new key for an object without a key.
    static func makeKey(for codec: PropertyCodec) -> ObjectKey {
        let uuid = KeyMaker.next()
        return codec.columnType == .blob ? ObjectKey(.uuid(uuid)) : ObjectKey(uuid.canonicalText)
    }
}

/// A key in its object, exposed as a `String?`.
private final class KeyCodec<Form: KeyForm>: FieldCodec<Form>, @unchecked Sendable {  // immutable
    override var isKey: Bool { true }

    override func value(_ field: Address) -> Any? {
        field[as: ObjectKey?.self]?.text
    }

    override func sendableValue(_ field: Address) -> (any Sendable)? {
        field[as: ObjectKey?.self]?.text
    }

    override func storeExactly(_ value: Any, into field: Address) -> Bool {
        guard let value = value as? String? else { return false }
        field[as: ObjectKey?.self] = value.map { Form.key($0) }
        return true
    }
}

/// The column representation of one kind of key.
private protocol KeyForm: ColumnForm where Value == ObjectKey? {
    /// A key for a string, in its column form. An invalid key is kept unchanged, and is rejected when it would be
    /// written.
    static func key(_ text: String) -> ObjectKey
}

/// Strings, unchanged.
private enum StringKeyForm: KeyForm {
    static var columnType: ColumnType { .text }

    static func key(_ text: String) -> ObjectKey { ObjectKey(text) }
    static func read(_ column: Cell) throws(ValueFault) -> ObjectKey? { ObjectKey(try String.read(column)) }

    static func bind(_ value: ObjectKey?, to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(try text(value), at: index)
    }

    static func encode(_ value: ObjectKey?) throws(ValueFault) -> DatabaseValue { .text(try text(value)) }

    private static func text(_ value: ObjectKey?) throws(ValueFault) -> String {
        let text = try present(value).text
        guard !text.isEmpty else { throw .notStorable(reason: "a key cannot be empty") }
        // Lists of keys are looked up as JSON, which SQLite reads up to a NUL.
        guard !text.utf8.contains(0) else { throw .notStorable(reason: "a key cannot contain a NUL") }
        return text
    }

    static func decode(_ value: DatabaseValue) throws(ValueFault) -> ObjectKey? {
        guard case .text(let text) = value else {
            throw .typeMismatch(expected: columnType.rawValue, found: value.storageClass)
        }
        return ObjectKey(text)
    }

    // A string that is not a valid key is a valid argument that matches no row.
    static func argument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        converted(value).map { key in key.map { .text($0.text) } ?? .null }
    }
}

/// UUIDs, 16 bytes each.
private enum UUIDKeyForm: KeyForm {
    static var columnType: ColumnType { .blob }
    static var logicalType: LogicalType { .uuid }

    static func key(_ text: String) -> ObjectKey {
        UUID(uuidString: text).map { ObjectKey(.uuid($0)) } ?? ObjectKey(text)
    }

    static func read(_ column: Cell) throws(ValueFault) -> ObjectKey? { ObjectKey(.uuid(try UUID.read(column))) }

    static func bind(_ value: ObjectKey?, to statement: Statement, at index: Int32) throws(ValueFault) {
        try uuid(value).bindBytes(to: statement, at: index)
    }

    static func encode(_ value: ObjectKey?) throws(ValueFault) -> DatabaseValue { .blob(try uuid(value).bytes) }

    private static func uuid(_ value: ObjectKey?) throws(ValueFault) -> UUID {
        guard case .uuid(let uuid) = try present(value).form else {
            throw .notStorable(reason: "the key is not a UUID")
        }
        return uuid
    }

    static func decode(_ value: DatabaseValue) throws(ValueFault) -> ObjectKey? {
        guard let uuid = UUID.decoded(value) else {
            throw .typeMismatch(expected: columnType.rawValue, found: value.storageClass)
        }
        return ObjectKey(.uuid(uuid))
    }

    // A string that is not a UUID matches no row, because a string never equals bytes.
    static func argument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        converted(value).map { key in
            switch key?.form {
            case nil: .null
            case .text(let text): .text(text)
            case .uuid(let uuid): .blob(uuid.bytes)
            }
        }
    }
}

extension KeyForm {
    static func present(_ value: ObjectKey?) throws(ValueFault) -> ObjectKey {
        guard let value else {
            throw .notStorable(reason: "a saved object cannot lose its key. Assign another key instead of nil")
        }
        return value
    }

    static func isSame(_ a: ObjectKey?, _ b: ObjectKey?) -> Bool {
        switch (a?.form, b?.form) {
        case (nil, nil): true
        case (.uuid(let a), .uuid(let b)): a == b
        case (.text(let a), .text(let b)): a.hasSameUTF8(as: b)
        default: false
        }
    }

    static func converted(_ value: Any?) -> ObjectKey?? {
        switch value {
        case nil: .some(nil)
        case let id as UUID: key(id.canonicalText)
        case let value?: String.converted(value).map { key($0) }
        }
    }

    static var samples: [ObjectKey?] { String.samples.map { key($0) } + [nil] }
}
