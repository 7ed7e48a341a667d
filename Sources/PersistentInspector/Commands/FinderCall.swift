internal import PersistentObjects
internal import StoreEngine

/// A finder with its values.
struct FinderCall {
    let className: String
    let name: String
    let arguments: [DescribedLiteral]

    /// As it is written in Swift.
    var text: String { "\(className).\(name)(\(arguments.map(FinderText.text).joined(separator: ", ")))" }

    func compiled(in file: InspectedFile) throws -> DescribedFinder {
        guard let map = file.classes.map(of: className) else { throw InspectorError(file.noDescription) }
        do {
            return try DescribedFinder(name, arguments, of: map, in: file.classes, file.connection.dialect)
        } catch {
            // The further lines mark the place in the name.
            throw InspectorError(String("\(error)".prefix { !$0.isNewline }))
        }
    }
}
