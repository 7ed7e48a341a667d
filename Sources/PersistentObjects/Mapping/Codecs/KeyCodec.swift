internal import Foundation
internal import StoreEngine

/// The codec of the keys that a class's objects have.
enum KeyCodecs {
    static func codec(for identity: PersistentObject.Identity) -> PropertyCodec? {
        switch identity {
        case .integer, .given: nil
        case .uuid: KeyCodec<UUIDKeyForm>(seenType: String?.self)
        case .string: KeyCodec<StringKeyForm>(seenType: String?.self)
        }
    }

    /// A key for an object that has none.
    static func makeKey() -> ObjectKey { ObjectKey(UUID().uuidString.lowercased()) }
}

/// A key in its object, which is a `String?` to all others.
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
        field[as: ObjectKey?.self] = value.map { ObjectKey($0) }
        return true
    }
}

/// How keys of one kind stand in their column.
private protocol KeyForm: ColumnForm where Value == ObjectKey? {
    /// A text in the form that the column has it in.
    static func canonical(_ text: String) -> String
    /// Why a text can be no key.
    static func refusal(_ text: String) -> String?
}

private enum StringKeyForm: KeyForm {
    static func canonical(_ text: String) -> String { text }
    static func refusal(_ text: String) -> String? { text.isEmpty ? "a key cannot be empty" : nil }
}

private enum UUIDKeyForm: KeyForm {
    static func canonical(_ text: String) -> String { text.lowercased() }
    static func refusal(_ text: String) -> String? { UUID(uuidString: text) == nil ? "the key is no UUID" : nil }
}

extension KeyForm {
    static var columnType: ColumnType { .text }

    static func read(_ column: Cell) throws(ValueFault) -> ObjectKey? { ObjectKey(try String.read(column)) }

    static func bind(_ value: ObjectKey?, to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(try text(value), at: index)
    }

    static func encode(_ value: ObjectKey?) throws(ValueFault) -> DatabaseValue { .text(try text(value)) }

    private static func text(_ value: ObjectKey?) throws(ValueFault) -> String {
        guard let value else { throw .notStorable(reason: "a saved object keeps its key; give it another, not nil") }
        if let reason = refusal(value.text) { throw .notStorable(reason: reason) }
        // Lists of keys are looked up as JSON, which SQLite reads up to a NUL.
        guard !value.text.utf8.contains(0) else { throw .notStorable(reason: "a key cannot have a NUL in it") }
        return value.text
    }

    static func decode(_ value: DatabaseValue) throws(ValueFault) -> ObjectKey? {
        guard case .text(let text) = value else {
            throw .typeMismatch(expected: columnType.rawValue, found: value.storageClass)
        }
        return ObjectKey(text)
    }

    static func isSame(_ a: ObjectKey?, _ b: ObjectKey?) -> Bool {
        switch (a, b) {
        case (nil, nil): true
        case (let a?, let b?): a.text.hasSameUTF8(as: b.text)
        default: false
        }
    }

    static func converted(_ value: Any?) -> ObjectKey?? {
        switch value {
        case nil: .some(nil)
        case let id as UUID: ObjectKey(canonical(id.uuidString))
        case let value?: String.converted(value).map { ObjectKey(canonical($0)) }
        }
    }

    // A text that can be no key has no row, which is an answer.
    static func argument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        converted(value).map { key in key.map { .text($0.text) } ?? .null }
    }

    static var samples: [ObjectKey?] { String.samples.map { ObjectKey($0) } + [nil] }
}
