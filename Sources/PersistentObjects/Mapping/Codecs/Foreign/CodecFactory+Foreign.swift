internal import Foundation
internal import StoreEngine

extension CodecFactory {
    /// The codec of a property in a class over an existing table, or with a declared column format.
    static func codec(
        for type: Any.Type, _ format: ColumnFormat?, isForeign: Bool
    ) -> Result<PropertyCodec, Refusal> {
        guard let optional = type as? any OptionalType.Type else {
            return formattedForm(for: type, format, isForeign).map { codec($0) }
        }
        if optional.wrapped is any OptionalType.Type { return codec(for: type) }
        return formattedForm(for: optional.wrapped, format, isForeign).map { optionalCodec($0) }
    }

    private static func formattedForm(
        for type: Any.Type, _ format: ColumnFormat?, _ isForeign: Bool
    ) -> Result<any ColumnForm.Type, Refusal> {
        if let format { return form(of: format, for: type) }
        guard isForeign else { return form(for: type) }
        if type == Date.self { return .success(DateForm<DateTimeStyle>.self) }
        if type == UUID.self { return .success(UUIDForm<TextUUID>.self) }
        if type == Decimal.self { return .success(DecimalForm.self) }
        return form(for: type).map { foreign($0) }
    }

    private static func form(of format: ColumnFormat, for type: Any.Type) -> Result<any ColumnForm.Type, Refusal> {
        let form: (any ColumnForm.Type)? =
            switch format {
            case .dateTime: DateForm<DateTimeStyle>.self
            case .iso8601: DateForm<ISOStyle>.self
            case .day: DateForm<DayStyle>.self
            case .unixSeconds: DateForm<UnixStyle>.self
            case .unixMilliseconds: DateForm<UnixMillisecondStyle>.self
            case .julianDay: DateForm<JulianStyle>.self
            case .secondsSince2001: ScalarForm<Date>.self
            case .uuidText: UUIDForm<TextUUID>.self
            case .uuidBlob: UUIDForm<BlobUUID>.self
            case .scaled(let digits): scaledForm(digits)
            }
        guard let form else { return .failure(Refusal("a scale is a number of decimal places from 0 to 18")) }
        let wanted: Any.Type =
            switch format {
            case .uuidText, .uuidBlob: UUID.self
            case .scaled: Decimal.self
            default: Date.self
            }
        guard type == wanted else {
            return .failure(Refusal("the format .\(format) is for \(TypeSpelling.of(wanted)). Remove it"))
        }
        return .success(form)
    }

    private static func foreign<F: ColumnForm>(_: F.Type) -> any ColumnForm.Type { ForeignForm<F>.self }
}
