internal import Foundation
internal import StoreEngine

/// The raw value of an enumeration whose type the program does not have.
struct RawValue<Raw: ColumnScalar>: RawRepresentable {
    let rawValue: Raw
    init?(rawValue: Raw) { self.rawValue = rawValue }
}

/// A value whose type the program does not have.
struct UnknownValue: Hashable {}

/// The codecs of described properties.
enum DescribedCodecs {
    private static func scalar(named name: String) -> (any ColumnScalar.Type)? {
        switch name {
        case "Int": Int.self
        case "Int8": Int8.self
        case "Int16": Int16.self
        case "Int32": Int32.self
        case "Int64": Int64.self
        case "UInt": UInt.self
        case "UInt8": UInt8.self
        case "UInt16": UInt16.self
        case "UInt32": UInt32.self
        case "UInt64": UInt64.self
        case "Bool": Bool.self
        case "Double": Double.self
        case "Float": Float.self
        case "Decimal": Decimal.self
        case "Date": Date.self
        case "String": String.self
        case "Substring": Substring.self
        case "Character": Character.self
        case "URL": URL.self
        case "UUID": UUID.self
        case "Data": Data.self
        case "Array<UInt8>": [UInt8].self
        default: nil
        }
    }

    /// The codec of a property.
    ///
    /// - Parameter target: The type that represents a class; nil if the file does not describe the class.
    static func codec(
        of property: PropertyDescription, _ target: (String) -> PersistentObject.Type?
    ) -> PropertyCodec? {
        if property.isEncrypted {
            return DescribedValueCodec(
                property.type, .blob, isOptional: property.isOptional, isJSON: false, isEncrypted: true)
        }
        switch property.kind {
        case .scalar:
            return scalar(property.type, property.columnType, isOptional: property.isOptional, property.cases)
        case .value: return DescribedValueCodec(property.type, .blob, isOptional: property.isOptional, isJSON: true)
        case .reference:
            return property.target.flatMap(target).map { DescribedReferenceCodec($0) }
        case .inverse:
            let isMany = property.type.hasPrefix("Array<") || property.type.hasPrefix("Set<")
            return property.target.flatMap(target).map { DescribedInverseCodec($0, isSingle: !isMany) }
        case .array, .set, .dictionary: return collection(property, target)
        }
    }

    private static func collection(
        _ property: PropertyDescription, _ target: (String) -> PersistentObject.Type?
    ) -> PropertyCodec? {
        let parts = property.parts
        guard parts.count == (property.kind == .dictionary ? 2 : 1), let last = parts.last else { return nil }
        let element: PropertyCodec
        if let name = property.target {
            guard let type = target(name) else { return nil }
            element = DescribedReferenceCodec(type)
        } else {
            element = self.element(last, property.columnType)
        }
        let isOptional = property.isOptional
        switch property.kind {
        case .dictionary:
            let key = self.element(parts[0], property.keyColumnType)
            return collection(DictionaryForm<UnknownValue, UnknownValue>.self, key, element, isOptional)
        case .set: return collection(SetForm<UnknownValue>.self, nil, element, isOptional)
        default: return collection(ArrayForm<UnknownValue>.self, nil, element, isOptional)
        }
    }

    private static func collection<F: CollectionForm>(
        _: F.Type, _ key: PropertyCodec?, _ element: PropertyCodec, _ isOptional: Bool
    ) -> PropertyCodec {
        guard let reference = element as? DescribedReferenceCodec else {
            return isOptional
                ? TypedCollectionCodec<OptionalCollection<F>>(key: key, element: element)
                : TypedCollectionCodec<PlainCollection<F>>(key: key, element: element)
        }
        return isOptional
            ? DescribedLinksCodec<OptionalCollection<F>>(key: key, element: reference)
            : DescribedLinksCodec<PlainCollection<F>>(key: key, element: reference)
    }

    /// The codec of an element. The file does not record the raw type of an enumeration here, so values of a type that
    /// is not known are compared in the form of their column.
    private static func element(_ type: String, _ columnType: String?) -> PropertyCodec {
        let isOptional = type.hasPrefix("Optional<")
        let name = isOptional ? String(type.dropFirst("Optional<".count).dropLast()) : type
        guard scalar(named: name) == nil else { return scalar(name, columnType, isOptional: isOptional, []) }
        switch columnType {
        case "TEXT": return raw(String.self, isOptional)
        case "INTEGER": return raw(Int.self, isOptional)
        default: return DescribedValueCodec(name, logicalType(columnType), isOptional: isOptional, isJSON: true)
        }
    }

    private static func scalar(
        _ type: String, _ columnType: String?, isOptional: Bool, _ cases: [String]
    ) -> PropertyCodec {
        let refused = DescribedValueCodec(type, logicalType(columnType), isOptional: isOptional, isJSON: false)
        let found: PropertyCodec?
        if let scalar = scalar(named: type) {
            let plain = codec(scalar, isOptional)
            let isUUIDText = type == "UUID" && columnType == "TEXT"
            found = isUUIDText ? formatted(UUID.self, .uuidText, isOptional) : plain
        } else if type.hasPrefix("Decimal("), let digits = Int(type.dropFirst("Decimal(".count).dropLast()) {
            found = formatted(Decimal.self, .scaled(digits), isOptional)
        } else if let colon = type.firstRange(of: ": "), let scalar = scalar(named: String(type[colon.upperBound...])) {
            found = enumeration(scalar, isOptional)
        } else {
            found = nil
        }
        // A column of another type has a format that only the class declares.
        guard let found, columnType == nil || columnType == found.columnType.rawValue else { return refused }
        return found
    }

    private static func codec<S: ColumnScalar>(_: S.Type, _ isOptional: Bool) -> PropertyCodec {
        isOptional ? CodecFactory.optionalCodec(ScalarForm<S>.self) : CodecFactory.codec(ScalarForm<S>.self)
    }

    private static func raw<S: ColumnScalar>(_: S.Type, _ isOptional: Bool) -> PropertyCodec {
        isOptional
            ? CodecFactory.optionalCodec(RawForm<RawValue<S>>.self) : CodecFactory.codec(RawForm<RawValue<S>>.self)
    }

    private static func enumeration(_ type: any ColumnScalar.Type, _ isOptional: Bool) -> PropertyCodec {
        raw(type, isOptional)
    }

    private static func formatted(_ type: Any.Type, _ format: ColumnFormat, _ isOptional: Bool) -> PropertyCodec? {
        guard case .success(let codec) = CodecFactory.codec(for: type, format, isForeign: false) else { return nil }
        if !isOptional { return codec }
        let optional: Any.Type = type == UUID.self ? UUID?.self : Decimal?.self
        guard case .success(let codec) = CodecFactory.codec(for: optional, format, isForeign: false) else { return nil }
        return codec
    }

    static func logicalType(_ columnType: String?) -> LogicalType {
        switch columnType {
        case "INTEGER": .integer
        case "REAL": .real
        case "TEXT": .text
        case "BLOB": .blob
        default: .any
        }
    }
}
