internal import PersistentObjects
internal import StoreEngine

/// The elements of a collection, or the objects of an inverse, in pages.
struct LinkedElements {
    struct Element {
        /// The key in a dictionary.
        let name: String?
        let cell: PageContent.Cell
    }

    struct Page {
        let elements: [Element]
        /// The place after which the next page starts; nil if there are no more elements.
        let next: String?
    }

    /// The number of elements, up to the limit and one more.
    let count: Int
    /// The class of the elements; nil for values.
    let target: String?
    private let file: InspectedFile
    private let property: PropertyDescription?
    private let owner: DatabaseValue
    /// A statement with the owner's id as its first value, and the place as its second value.
    private let first: SQL
    private let rest: SQL

    /// Nil if a collection is nil, or if the file does not describe the other side of an inverse.
    static func of(
        _ property: PropertyDescription, _ object: StoredObject, in file: InspectedFile
    ) throws -> LinkedElements? {
        guard property.kind == .inverse else {
            if property.hasColumn, object.values[property.name] == .null { return nil }
            return try LinkedElements(property, of: object, in: file)
        }
        let link = file.links(to: object.description).first { $0.path == property.inverse }
        return try link.map { try LinkedElements($0, to: object, in: file) }
    }

    /// The elements of a collection.
    private init(_ property: PropertyDescription, of object: StoredObject, in file: InspectedFile) throws {
        self.file = file
        self.property = property
        target = property.target
        owner = .integer(object.id)
        let table = "\(object.description.table)_\(property.storage)"
        let value = property.target == nil ? "value" : "value_id"
        let order = property.kind == .array ? "position" : property.kind == .dictionary ? "key" : value
        let isText = property.target == nil && !file.isOnServer
        let shown: SQL = isText ? InspectedFile.measured("\(name: value)") : "\(name: value)"
        let select: SQL = "SELECT \(name: order), \(shown) FROM \(name: table) WHERE \"owner_id\" = ?1"
        first = "\(select) ORDER BY \(name: order)"
        rest = "\(select) AND \(name: order) > ?2 ORDER BY \(name: order)"
        count = try file.count("\(name: table) WHERE \"owner_id\" = ?1", [owner])
    }

    /// The objects that refer to an object by a link.
    init(_ link: StoredLink, to object: StoredObject, in file: InspectedFile) throws {
        self.file = file
        property = nil
        target = link.owner.name
        owner = .integer(object.id)
        let (select, id): (SQL, SQL) =
            if link.property.kind == .reference {
                (
                    "SELECT \"id\", \"id\" FROM \(name: link.owner.table) WHERE \(name: link.property.storage) = ?1",
                    "\"id\""
                )
            } else {
                (
                    """
                    SELECT DISTINCT "owner_id", "owner_id" FROM \
                    \(name: "\(link.owner.table)_\(link.property.storage)") WHERE "value_id" = ?1
                    """, "\"owner_id\""
                )
            }
        first = "\(select) ORDER BY \(id)"
        rest = "\(select) AND \(id) > ?2 ORDER BY \(id)"
        count = try file.count("(\(link.owners)) AS \"owners\"", [owner])
    }

    func page(after place: String?, limit: Int) throws -> Page {
        let start = place.flatMap { PlaceText.value($0) }
        let found = try file.rows(start == nil ? first : rest, [owner] + (start.map { [$0] } ?? []), limit: limit)
        let titles = try target.map { try file.titles(of: found.rows.compactMap { $0[1].integer }, $0) } ?? [:]
        let elements = found.rows.map { row -> Element in
            let name =
                switch property?.kind {
                case .dictionary: ValueText.quoted(row[0], type: property?.parts.first)
                default: String?.none
                }
            if let target, let id = row[1].integer {
                return Element(name: name, cell: .init(titles[id] ?? "", link: PageLink.object(target, id)))
            }
            let text = ValueText.quoted(
                row[1], type: property?.elementType, isJSON: property?.hasJSONElements ?? false)
            return Element(name: name, cell: .init(text, row[1] == .null ? .faint : .plain))
        }
        let next = found.isCut ? found.rows.last.map { PlaceText.text($0[0]) } : nil
        return Page(elements: elements, next: next)
    }
}
