/// The graph of the order in which operations must have run, as in Elle for append-only lists, and its cycles.
///
/// An edge exists only if every explanation of the history has it, so a cycle is always an anomaly. Some edges of
/// undone values are missing, because their positions in the order may be unknown.
struct HistoryGraph {
    /// Why an edge leads from A to B: B writes after A; B reads A's write; B replaces A's read; A ends before B begins.
    enum Reason: String {
        case writes = "ww", reads = "wr", replaces = "rw", ends = "time"
    }

    private struct Edge {
        let target: Int
        let reason: Reason
    }

    private let check: HistoryCheck
    /// The edges of operations, followed by those of points in time.
    private var edges: [[Edge]]

    init(_ check: HistoryCheck) {
        self.check = check
        edges = Array(repeating: [], count: check.operations.count)
        for (_, order) in check.orders {
            for (before, after) in zip(order, order.dropFirst()) { add(writer(before), writer(after), .writes) }
        }
        let staysBefore = addUndos()
        for place in check.operations.indices where check.operations[place].outcome == .done {
            for (list, values) in check.reads[place] { addRead(place, list, values, staysBefore) }
        }
        addTime()
    }

    private func writer(_ value: Int) -> Int? { check.origins[value]?.operation }

    private mutating func add(_ source: Int?, _ target: Int?, _ reason: Reason) {
        guard let source, let target, source != target else { return }
        edges[source].append(Edge(target: target, reason: reason))
    }

    /// Adds the edges of undone values, and returns the number of kept values before each undone value that was read.
    private mutating func addUndos() -> [Int: Int] {
        var staysBefore: [Int: Int] = [:]
        func note(_ value: Int, _ values: some Sequence<Int>) {
            if check.isUndone(value) { staysBefore[value] = values.count { check.places[$0] != nil } }
        }
        for place in check.operations.indices where check.operations[place].outcome == .done {
            for (list, values) in check.reads[place] {
                for (index, value) in values.enumerated() { note(value, values.prefix(index)) }
                for append in check.appends[place] where append.list == list { note(append.value, values) }
            }
        }
        for place in check.operations.indices where check.operations[place].outcome == .done {
            guard let undo = check.undos[place] else { continue }
            for (list, value) in check.appends[place] where check.isUndone(value) {
                add(place, undo, .writes)
                guard let index = staysBefore[value], let order = check.orders[list] else { continue }
                if index > 0 { add(writer(order[index - 1]), place, .writes) }
                if index < order.count { add(place, writer(order[index]), .writes) }
            }
        }
        return staysBefore
    }

    private mutating func addRead(_ place: Int, _ list: Int, _ values: [Int], _ staysBefore: [Int: Int]) {
        guard let order = check.orders[list] else { return }
        let staying = values.filter { check.places[$0] != nil }
        guard staying == Array(order.prefix(staying.count)) else { return }
        if let last = staying.last { add(writer(last), place, .reads) }
        if staying.count < order.count { add(place, writer(order[staying.count]), .replaces) }
        for value in values where check.isUndone(value) {
            add(writer(value), place, .reads)
            add(place, writer(value).flatMap { check.undos[$0] }, .replaces)
        }
        // If the read has a later value, the missing value was already undone.
        for (value, count) in staysBefore where count < staying.count && !values.contains(value) {
            guard check.origins[value]?.list == list else { continue }
            add(writer(value).flatMap { check.undos[$0] }, place, .reads)
        }
    }

    /// Adds edges from each ended operation through points in time to all operations that begin later.
    private mutating func addTime() {
        let operations = check.operations
        let ended = operations.indices.filter { operations[$0].outcome == .done }
            .sorted { operations[$0].ended < operations[$1].ended }
        let first = edges.count
        edges += Array(repeating: [], count: ended.count)
        for (point, place) in ended.enumerated() {
            add(place, first + point, .ends)
            if point > 0 { add(first + point - 1, first + point, .ends) }
        }
        let begun = ended.sorted { operations[$0].began < operations[$1].began }
        var point = -1
        for place in begun {
            while point + 1 < ended.count, operations[ended[point + 1]].ended < operations[place].began { point += 1 }
            if point >= 0 { add(first + point, place, .ends) }
        }
    }

    /// One cycle for each strongly connected set of operations, of the strictest kind that it has.
    mutating func cycles() -> [Anomaly] {
        var anomalies: [Anomaly] = []
        var told: Set<Int> = []
        let kinds: [(Anomaly.Kind, Set<Reason>)] = [
            (.writeCycle, [.writes]), (.informationCycle, [.writes, .reads]),
            (.antiDependencyCycle, [.writes, .reads, .replaces]),
            (.timeCycle, [.writes, .reads, .replaces, .ends]),
        ]
        for (kind, reasons) in kinds {
            for component in components(by: reasons) where component.count > 1 && told.isDisjoint(with: component) {
                told.formUnion(component)
                let members = Set(component)
                if kind == .antiDependencyCycle, let cycle = singleCycle(members) {
                    anomalies.append(Anomaly(kind: .singleAntiDependency, text: cycle))
                } else if let cycle = path(from: component[0], to: component[0], in: members, by: reasons) {
                    anomalies.append(Anomaly(kind: kind, text: text(component[0], cycle)))
                }
            }
        }
        return anomalies
    }

    /// A cycle with exactly one edge from a read to the operation that replaced it.
    private func singleCycle(_ members: Set<Int>) -> String? {
        for source in members.sorted() {
            for edge in edges[source] where edge.reason == .replaces && members.contains(edge.target) {
                if let rest = path(from: edge.target, to: source, in: members, by: [.writes, .reads]) {
                    return text(source, [edge] + rest)
                }
            }
        }
        return nil
    }

    /// The shortest path, of at least one edge.
    private func path(from source: Int, to target: Int, in members: Set<Int>, by reasons: Set<Reason>) -> [Edge]? {
        var came: [Int: (from: Int, by: Edge)] = [:]
        var next = [source], index = 0
        search: while index < next.count {
            defer { index += 1 }
            for edge in edges[next[index]] where reasons.contains(edge.reason) && members.contains(edge.target) {
                guard came[edge.target] == nil else { continue }
                came[edge.target] = (next[index], edge)
                if edge.target == target { break search }
                next.append(edge.target)
            }
        }
        var way: [Edge] = [], place = target
        while let step = came[place] {
            way.append(step.by)
            place = step.from
            if place == source { return way.reversed() }
        }
        return nil
    }

    private func text(_ start: Int, _ cycle: [Edge]) -> String {
        func name(_ place: Int) -> String {
            check.operations.indices.contains(place) ? "#\(check.operations[place].id)" : "·"
        }
        return cycle.reduce(name(start)) { $0 + " -\($1.reason.rawValue)-> \(name($1.target))" }
    }

    /// The strongly connected components (Tarjan 1972, without recursion).
    private func components(by reasons: Set<Reason>) -> [[Int]] {
        var found: [[Int]] = [], stack: [Int] = [], isOnStack = Array(repeating: false, count: edges.count)
        var number = Array(repeating: -1, count: edges.count), low = number, counter = 0
        for root in edges.indices where number[root] < 0 {
            var walk: [(place: Int, edge: Int)] = [(root, 0)]
            while let (place, index) = walk.last {
                if index == 0 {
                    (number[place], low[place]) = (counter, counter)
                    counter += 1
                    stack.append(place)
                    isOnStack[place] = true
                }
                if index < edges[place].count {
                    walk[walk.count - 1].edge += 1
                    let edge = edges[place][index]
                    guard reasons.contains(edge.reason) else { continue }
                    if number[edge.target] < 0 {
                        walk.append((edge.target, 0))
                    } else if isOnStack[edge.target] {
                        low[place] = min(low[place], number[edge.target])
                    }
                    continue
                }
                walk.removeLast()
                if let (parent, _) = walk.last { low[parent] = min(low[parent], low[place]) }
                guard low[place] == number[place] else { continue }
                var component: [Int] = []
                while let last = stack.popLast() {
                    isOnStack[last] = false
                    component.append(last)
                    if last == place { break }
                }
                found.append(component)
            }
        }
        return found
    }
}
