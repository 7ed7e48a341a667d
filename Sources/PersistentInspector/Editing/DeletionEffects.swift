internal import PersistentObjects
internal import StoreEngine

/// The effects of a deletion on other objects, by the delete rules that the file describes.
struct DeletionEffects {
    /// The objects that are deleted together with the object, by their classes.
    private(set) var deleted: [String: Int] = [:]
    /// The links that are removed, such as `Person.employer`, with their numbers.
    private(set) var unlinked: [String: Int] = [:]
    /// The reasons that the deletion is refused.
    private(set) var refusals: [String] = []
    /// Whether there are more effects than were counted.
    private(set) var isCut = false

    /// The number of objects whose effects are computed.
    private static let limit = 1000
    private var seen: Set<String>

    init(of object: StoredObject, in file: InspectedFile) throws {
        seen = [object.name]
        var next = [object]
        while !next.isEmpty, !isCut {
            var found: [StoredObject] = []
            for object in next { found += try effects(of: object, in: file) }
            next = found
        }
    }

    /// The further objects that are deleted together with an object.
    private mutating func effects(of object: StoredObject, in file: InspectedFile) throws -> [StoredObject] {
        var found: [StoredObject] = []
        var followed: Set<String> = []
        for property in object.description.properties {
            guard let target = property.target, let rule = property.deleteRule else { continue }
            if let inverse = property.inverse, rule != "nullify" { followed.insert(inverse) }
            guard rule != "nullify" else { continue }
            let ids = try linked(property, object, in: file)
            if rule == "deny", !ids.isEmpty {
                let number = "\(Bounds.grouped(ids.count)) \(ids.count == 1 ? "object" : "objects")"
                refusals.append("\(object.name).\(property.name) denies the deletion while it has \(number).")
            } else if rule == "cascade", let description = file.classes.descriptions[target] {
                for id in ids {
                    guard seen.count < DeletionEffects.limit else {
                        isCut = true
                        return found
                    }
                    guard let other = try file.object(description, id: id), seen.insert(other.name).inserted else {
                        continue
                    }
                    deleted[other.description.name, default: 0] += 1
                    found.append(other)
                }
            }
        }
        for link in file.links(to: object.description) where !followed.contains(link.path) {
            let count = try file.count("(\(link.owners)) AS \"owners\"", [.integer(object.id)])
            if count > 0 { unlinked["\(link.owner.name).\(link.property.name)", default: 0] += count }
        }
        return found
    }

    /// The ids of the objects that a property links to.
    private mutating func linked(
        _ property: PropertyDescription, _ object: StoredObject, in file: InspectedFile
    ) throws -> [Int64] {
        if property.kind == .reference { return object.values[property.name]?.integer.map { [$0] } ?? [] }
        let sql: SQL
        if property.kind == .inverse {
            guard let link = file.links(to: object.description).first(where: { $0.path == property.inverse }) else {
                return []
            }
            sql = link.owners
        } else {
            let table = "\(object.description.table)_\(property.storage)"
            sql = "SELECT DISTINCT \"value_id\" FROM \(name: table) WHERE \"owner_id\" = ?"
        }
        let rows = try file.rows(sql, [.integer(object.id)], limit: DeletionEffects.limit)
        if rows.isCut { isCut = true }
        return rows.rows.compactMap { $0[0].integer }
    }

    /// The effects in words; empty if there are none.
    var lines: [String] {
        let deletions = deleted.sorted { $0.key < $1.key }.map { name, count in
            let objects = "\(Bounds.grouped(count)) \(count == 1 ? "object" : "objects")"
            return "\(objects) of class \(name) \(count == 1 ? "is" : "are") deleted too."
        }
        let removals = unlinked.sorted { $0.key < $1.key }.map { name, count in
            "\(Bounds.shown(count)) \(count == 1 ? "link" : "links") by \(name) \(count == 1 ? "is" : "are") removed."
        }
        return deletions + removals + (isCut ? ["There are more effects than these."] : [])
    }
}
