internal import StoreEngine

/// The consequences of deletions: the links between the tables of all classes that a store has prepared, and their
/// rules.
///
/// Classes that are unknown to this process are not included: for these the foreign keys and triggers in the file act.
final class DeletionRules: Sendable {
    /// One hierarchy, which has one table.
    struct Node: Sendable {
        let map: ClassMap
        let texts: DeletionTexts
        /// Links that go out of its rows and that a rule other than `.nullify` is about: cleared before the rows go, so
        /// that the file's triggers find nothing to do.
        var cleared: [StoredLink] = []
        /// Those of them that are cleared also where no row goes before one that refers to it: collections, and links of
        /// siblings in one column, which a trigger does not tell apart.
        var clearedAlways: [StoredLink] = []
        /// Links that come in and that a rule is about which counts for some classes of a table only.
        var loosened: [StoredLink] = []
        /// Links that come in from rows which may stay.
        var watched: [StoredLink] = []
        /// References that go out.
        var references: [StoredLink] = []
        /// Links that go out and have an inverse.
        var inverted: [StoredLink] = []
        var cascades: [LinkRule] = []
        var denials: [LinkRule] = []

        init(_ map: ClassMap, _ dialect: Dialect) throws {
            self.map = map
            texts = DeletionTexts(try ClassSQL(map, [], dialect))
        }

        /// Whether its rows can be deleted without checking other rows.
        var isAlone: Bool {
            cascades.isEmpty && denials.isEmpty && watched.isEmpty && cleared.isEmpty && inverted.isEmpty
        }
    }

    let nodes: [Node]
    /// The nodes with cascades.
    let cascading: [Int]
    /// Classes whose rows must be distinguished from those of other classes in their hierarchy.
    let narrowed: [ClassMap]
    /// Whether any of the classes uses an existing table.
    let hasForeignTables: Bool
    /// Whether any of the classes deletes softly.
    let hasSoftClasses: Bool
    private let places: [ObjectIdentifier: Int]

    /// The place of a class's hierarchy in `nodes`; nil for a class that the store has not prepared.
    func node(of map: ClassMap) -> Int? { places[ObjectIdentifier(map.root)] }

    /// Some nodes in an order in which each is before those that it refers to; nil where they refer to each other in a
    /// ring. Rows that go in this order are not written before they go, by a foreign key or a trigger that finds them.
    func referrersFirst(_ involved: [Int]) -> [Int]? {
        var waiting = Dictionary(involved.map { ($0, 0) }, uniquingKeysWith: { first, _ in first })
        for node in involved {
            for link in nodes[node].references where waiting[link.target] != nil { waiting[link.target]? += 1 }
        }
        var order = involved.filter { waiting[$0] == 0 }
        var next = 0
        while next < order.count {
            for link in nodes[order[next]].references where waiting[link.target] != nil {
                waiting[link.target]? -= 1
                if waiting[link.target] == 0 { order.append(link.target) }
            }
            next += 1
        }
        return order.count == involved.count ? order : nil
    }

    /// Whether rows of a class can be deleted without checking other rows.
    func isAlone(_ map: ClassMap) -> Bool { node(of: map).map { nodes[$0].isAlone } ?? true }

    init(_ maps: [ClassMap], _ dialect: Dialect) throws {
        var builder = DeletionRulesBuilder(dialect: dialect)
        // A view that shows the values of the history's entries, which go with these.
        let maps = maps.filter { $0.table != HistoryNames.values }
        // The topmost class of those that have a property stands for them.
        let depths = maps.map { ClassLineage.hierarchy(of: $0).count }
        let ordered = maps.indices.sortedUnspecialized { (depths[$0], $0) < (depths[$1], $1) }.map { maps[$0] }
        for map in ordered { try builder.addLinks(of: map) }
        for map in ordered { try builder.addRules(of: map) }
        nodes = builder.finishedNodes()
        places = builder.places
        hasForeignTables = maps.contains { $0.foreign != nil }
        hasSoftClasses = maps.contains { $0.softDeletePlace != nil }
        cascading = nodes.indices.filter { [nodes] in !nodes[$0].cascades.isEmpty }
        let rules = nodes.flatMap { $0.cascades + $0.denials }
        narrowed = rules.flatMap { [$0.source, $0.other].compactMap(\.self) }
    }
}

extension DeletionRules {
    /// Follows the cascades from rows, level by level, each with one query for each property.
    ///
    /// - Parameters:
    ///   - newRows: The rows of a node after the given number of rows. Each row must be visited once, so that cycles
    ///     end.
    ///   - follow: Receives the rows that a rule leads to from the rows of a level.
    func followCascades(
        of newRows: (_ node: Int, _ start: Int) -> [Int64], _ follow: (LinkRule, _ level: [Int64]) throws -> Void
    ) rethrows {
        var followed = Array(repeating: 0, count: nodes.count)
        var isDone = false
        while !isDone {
            isDone = true
            for node in cascading {
                let level = newRows(node, followed[node])
                guard !level.isEmpty else { continue }
                isDone = false
                followed[node] += level.count
                for rule in nodes[node].cascades { try follow(rule, level) }
            }
        }
    }
}

/// A rule of one property, seen from the rows that are deleted.
struct LinkRule: Sendable {
    let link: StoredLink
    /// Which side the deleted rows are.
    let direction: StoredLink.Direction
    /// The class that says so, and its property.
    let map: ClassMap
    let property: Property
    /// The class that the deleted row must be of; nil where all of its table are.
    var source: ClassMap?
    /// The same of the rows on the other side.
    var other: ClassMap?

    /// The node of the rows on the other side.
    var destination: Int { direction == .fromOwners ? link.target : link.owner }
    /// Whether all rows on the other side go along, or stop the deletion.
    var isComplete: Bool { source == nil && other == nil }
}

/// Puts the rules together.
private struct DeletionRulesBuilder {
    private let dialect: Dialect
    private var nodes: [DeletionRules.Node] = []
    private(set) var places: [ObjectIdentifier: Int] = [:]
    private var links: [StoredLink] = []
    private var byName: [String: [Int]] = [:]
    private var ruled: Set<Int> = []
    private var inverted: Set<Int> = []
    /// Links whose owners all go along with their target, or stop its deletion.
    private var closed: Set<Int> = []

    init(dialect: Dialect) { self.dialect = dialect }

    private mutating func node(of map: ClassMap) throws -> Int {
        if let place = places[ObjectIdentifier(map.root)] { return place }
        places[ObjectIdentifier(map.root)] = nodes.count
        nodes.append(try DeletionRules.Node(map, dialect))
        return nodes.count - 1
    }

    mutating func addLinks(of map: ClassMap) throws {
        let owner = try node(of: map)
        for place in map.links.references + map.links.collections {
            let property = map.properties[place]
            guard let codec = property.codec as? any LinkCodec, self.link(property, map) == nil else { continue }
            let target = try node(of: ClassMap.map(of: codec.target))
            let link = try StoredLink(property, of: map, from: owner, to: target, dialect)
            byName[Naming.folded(link.name), default: []].append(links.count)
            links.append(link)
        }
    }

    /// The link that a property of a class is, which the class may inherit.
    private func link(_ property: Property, _ map: ClassMap) -> Int? {
        let isCollection = property.codec is CollectionCodec
        let name = isCollection ? "\(map.table)_\(property.column)" : "\(map.table).\(property.column)"
        let declarer = ClassLineage.declarer(of: property, in: map)
        return byName[Naming.folded(name)]?.first { links[$0].declarer == declarer }
    }

    /// The class whose rows a link is of, where siblings have different properties in one column.
    private func narrowing(_ link: StoredLink) -> ClassMap? {
        (byName[Naming.folded(link.name)]?.count ?? 0) > 1 ? link.map : nil
    }

    mutating func addRules(of map: ClassMap) throws {
        for place in map.links.targets {
            let property = map.properties[place]
            if case .inverse = property.shape {
                try addInverse(property, map)
            } else if let index = link(property, map), links[index].map === map {
                addForward(index, property, map)
            }
        }
    }

    private mutating func addForward(_ index: Int, _ property: Property, _ map: ClassMap) {
        let link = links[index]
        guard property.deleteRule != .nullify else { return }
        ruled.insert(index)
        var rule = LinkRule(link: link, direction: .fromOwners, map: map, property: property)
        switch property.deleteRule {
        case .nullify: return
        case .cascade:
            rule.source = narrowing(link)
            nodes[link.owner].cascades.append(rule)
        case .deny where link.isCollection:
            rule.source = narrowing(link)
            nodes[link.owner].denials.append(rule)
        case .deny:
            rule = LinkRule(link: link, direction: .fromTargets, map: map, property: property)
            rule.other = narrowing(link)
            if rule.isComplete { closed.insert(index) }
            nodes[link.target].denials.append(rule)
        }
    }

    private mutating func addInverse(_ property: Property, _ map: ClassMap) throws {
        let side = try InverseSide.of(property, in: map)
        guard let index = link(side.property, side.other) else { return }
        let link = links[index]
        inverted.insert(index)
        guard property.deleteRule != .nullify else { return }
        let node = try node(of: map)
        let known = nodes[node].cascades + nodes[node].denials
        let isInherited = known.contains {
            $0.link === link && $0.property.name == property.name && map.derives(from: $0.map)
        }
        guard !isInherited else { return }
        ruled.insert(index)
        var rule = LinkRule(link: link, direction: .fromTargets, map: map, property: property)
        rule.source = map.isRoot ? nil : map
        rule.other = side.other.isRoot ? narrowing(link) : side.other
        if rule.isComplete { closed.insert(index) }
        if property.deleteRule == .cascade {
            nodes[node].cascades.append(rule)
        } else {
            nodes[node].denials.append(rule)
        }
    }

    func finishedNodes() -> [DeletionRules.Node] {
        var nodes = nodes
        for node in nodes.indices {
            for rule in nodes[node].cascades + nodes[node].denials
            where rule.direction == .fromTargets && !rule.isComplete && !rule.link.isRuledHereOnly {
                nodes[node].loosened.append(rule.link)
            }
        }
        for (index, link) in links.enumerated() {
            if !link.isCollection { nodes[link.owner].references.append(link) }
            // An existing table has no triggers of the library, for which links are cleared.
            if ruled.contains(index), !link.isRuledHereOnly {
                nodes[link.owner].cleared.append(link)
                if link.isCollection || narrowing(link) != nil { nodes[link.owner].clearedAlways.append(link) }
            }
            // Nor has it foreign keys of the library's, which clear links that no rule is about.
            let rules = nodes[link.target].cascades + nodes[link.target].denials
            let isRuled = rules.contains { $0.link === link && $0.direction == .fromTargets && $0.source == nil }
            if link.isRuledHereOnly, !isRuled, link.isWritable { nodes[link.target].loosened.append(link) }
            if inverted.contains(index) { nodes[link.owner].inverted.append(link) }
            // Rows that are deleted softly deny nothing, and stay.
            if !closed.contains(index) || nodes[link.owner].map.softDeletePlace != nil {
                nodes[link.target].watched.append(link)
            }
        }
        return nodes
    }
}
