internal import StoreEngine

/// The consequences of deletions: the links between the tables of all classes that a store has prepared, and their
/// delete rules.
///
/// Classes that this process does not know are not included. For them, the foreign keys and triggers in the file apply.
final class DeletionRules: Sendable {
    /// One class hierarchy, which has one table.
    struct Node: Sendable {
        let map: ClassMap
        let texts: DeletionTexts
        /// Outgoing links with a rule other than `.nullify`. They are cleared before the rows are deleted, so that the
        /// file's triggers have nothing to do.
        var cleared: [StoredLink] = []
        /// The links in `cleared` that are cleared even if referring rows are deleted first: collections, and links of
        /// sibling classes in one column, which a trigger cannot distinguish.
        var clearedAlways: [StoredLink] = []
        /// Incoming links that no foreign key or trigger clears: their rule applies only to some classes of a table, or
        /// one side is an existing table.
        var clearedIncoming: [StoredLink] = []
        /// Incoming links from rows that may stay.
        var externalIncoming: [StoredLink] = []
        /// Outgoing references.
        var references: [StoredLink] = []
        /// Outgoing links that have an inverse.
        var inverted: [StoredLink] = []
        var cascades: [LinkRule] = []
        var denials: [LinkRule] = []

        init(_ map: ClassMap, _ dialect: Dialect) throws {
            self.map = map
            texts = DeletionTexts(try ClassSQL(map, [], dialect))
        }

        /// Whether its rows can be deleted without checking other rows.
        var isAlone: Bool {
            cascades.isEmpty && denials.isEmpty && externalIncoming.isEmpty && cleared.isEmpty && inverted.isEmpty
        }
    }

    let nodes: [Node]
    /// The nodes with cascades.
    let cascading: [Int]
    /// Classes whose rows must be distinguished from rows of other classes in their hierarchy.
    let narrowed: [ClassMap]
    /// Whether any of the classes uses an existing table.
    let hasForeignTables: Bool
    /// Whether any of the classes uses soft deletes.
    let hasSoftClasses: Bool
    private let places: [ObjectIdentifier: Int]

    /// The index of a class's hierarchy in `nodes`; nil for a class that the store has not prepared.
    func node(of map: ClassMap) -> Int? { places[ObjectIdentifier(map.root)] }

    /// The given nodes in an order in which each precedes the nodes that it refers to; nil if they refer to each other
    /// in a cycle. If rows are deleted in this order, no foreign key or trigger updates a row before it is deleted.
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
        // The values of the history are a view of its entries, which are deleted with them.
        let maps = maps.filter { $0.table != HistoryNames.values }
        // Superclasses come first, because the topmost class with a property represents its link.
        let depths = maps.map { ClassLineage.hierarchy(of: $0).count }
        let ordered = maps.indices.sortedUnspecialized { (depths[$0], $0) < (depths[$1], $1) }.map { maps[$0] }
        for map in ordered { try builder.addLinks(of: map) }
        for map in ordered { try builder.addRules(of: map) }
        nodes = builder.finishedNodes()
        places = builder.places
        hasForeignTables = maps.contains { $0.foreign != nil }
        hasSoftClasses = maps.contains { $0.softDeleteOrdinal != nil }
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
    /// The side that the deleted rows are on.
    let direction: StoredLink.Direction
    /// The class that declares the rule, and its property.
    let map: ClassMap
    let property: Property
    /// The class of the deleted rows that the rule applies to; nil if it applies to all rows of the table.
    var source: ClassMap?
    /// The class of the rows on the other side that the rule applies to; nil if it applies to all rows of the table.
    var other: ClassMap?

    /// The node of the rows on the other side.
    var destination: Int { direction == .fromOwners ? link.target : link.owner }
    /// Whether all rows on the other side are deleted too, or prevent the deletion.
    var isComplete: Bool { source == nil && other == nil }
}

/// Builds the rules.
private struct DeletionRulesBuilder {
    private let dialect: Dialect
    private var nodes: [DeletionRules.Node] = []
    private(set) var places: [ObjectIdentifier: Int] = [:]
    private var links: [StoredLink] = []
    private var byName: [String: [Int]] = [:]
    private var ruled: Set<Int> = []
    private var inverted: Set<Int> = []
    /// Links whose owners are all deleted with their target, or prevent its deletion.
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

    /// The index of a property's link. The class may inherit the property.
    private func link(_ property: Property, _ map: ClassMap) -> Int? {
        let isCollection = property.codec is CollectionCodec
        let name = isCollection ? "\(map.table)_\(property.column)" : "\(map.table).\(property.column)"
        let declarer = ClassLineage.declarer(of: property, in: map)
        return byName[Naming.folded(name)]?.first { links[$0].declarer == declarer }
    }

    /// The class of a link's rows, if sibling classes have different properties in one column; otherwise nil.
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
                nodes[node].clearedIncoming.append(rule.link)
            }
        }
        for (index, link) in links.enumerated() {
            if !link.isCollection { nodes[link.owner].references.append(link) }
            // Links of existing tables are not in `cleared`, because these tables have no triggers of the library.
            if ruled.contains(index), !link.isRuledHereOnly {
                nodes[link.owner].cleared.append(link)
                if link.isCollection || narrowing(link) != nil { nodes[link.owner].clearedAlways.append(link) }
            }
            // Links without a rule are usually cleared by foreign keys, but existing tables have none of the library.
            let rules = nodes[link.target].cascades + nodes[link.target].denials
            let isRuled = rules.contains { $0.link === link && $0.direction == .fromTargets && $0.source == nil }
            if link.isRuledHereOnly, !isRuled, link.isWritable { nodes[link.target].clearedIncoming.append(link) }
            if inverted.contains(index) { nodes[link.owner].inverted.append(link) }
            // Soft-deleted rows stay and do not deny the deletion.
            if !closed.contains(index) || nodes[link.owner].map.softDeleteOrdinal != nil {
                nodes[link.target].externalIncoming.append(link)
            }
        }
        return nodes
    }
}
