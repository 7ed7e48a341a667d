internal import StoreEngine

/// The entities of a Core Data file: their numbers, names and parents.
struct CoreDataEntities {
    struct Entity {
        let number: Int64
        let name: String
        /// The parent's number; 0 for a root entity.
        let parent: Int64
    }

    /// By number.
    private let entities: [Int64: Entity]

    init(_ file: ForeignFile, _ tables: [String: [String]]) throws {
        guard tables["Z_PRIMARYKEY"] != nil, tables["Z_METADATA"] != nil else {
            throw TransferError(
                "The file was not written by Core Data, because it has no tables Z_PRIMARYKEY and Z_METADATA")
        }
        var entities: [Int64: Entity] = [:]
        for row in try file.rows("SELECT \(names: ["Z_ENT", "Z_NAME", "Z_SUPER"]) FROM \(name: "Z_PRIMARYKEY")") {
            guard case .integer(let number) = row[0], case .text(let name) = row[1] else { continue }
            let parent: Int64 = if case .integer(let parent) = row[2] { parent } else { 0 }
            entities[number] = Entity(number: number, name: name, parent: parent)
        }
        self.entities = entities
    }

    subscript(number: Int64) -> Entity? { entities[number] }

    /// The entity with a name, ignoring case.
    func named(_ name: String) -> Entity? {
        entities.values.filter { $0.name.lowercased() == name.lowercased() }.min { $0.number < $1.number }
    }

    /// An entity and its ancestors, the root entity last.
    func line(of entity: Entity) -> [Entity] {
        var line = [entity]
        // The parents in a damaged file can form a cycle.
        while let parent = entities[line[line.count - 1].parent], !line.contains(where: { $0.number == parent.number })
        {
            line.append(parent)
        }
        return line
    }

    /// An entity and its descendants.
    func family(of entity: Entity) -> [Entity] {
        entities.values.filter { line(of: $0).contains { $0.number == entity.number } }
            .sorted { $0.number < $1.number }
    }

    /// The table of an entity, which is the table of its root entity.
    func table(of entity: Entity) -> String { "Z" + (line(of: entity).last?.name ?? entity.name).uppercased() }
}
