internal import StoreEngine

extension PostgresArguments {
    /// Replaces arguments by the results of functions. Elements of lists are replaced individually.
    mutating func replace(
        by calls: [Int: PostgresCall], _ functions: [String: EngineFunction.OfValues]
    ) throws(StoreError) {
        // A function can take an argument that another function replaces.
        let given = self
        for (place, call) in calls {
            guard let function = functions[call.function] else { continue }
            let others = call.arguments.map { argument in
                switch argument {
                case .value(let value): value
                case .placeholder(let number): given.value(at: number - 1)
                }
            }
            do {
                if case .list(let values) = values[place] {
                    try bind(list: try values.map { try function([$0] + others) }, at: Int32(place) + 1, isSent: false)
                } else {
                    try bind(try function([given.value(at: place)] + others), at: place)
                }
            } catch let fault as ValueFault { throw .value(fault) } catch let error as StoreError { throw error } catch
            {
                throw StoreError(.sqlite, "\(call.function): \(error)")
            }
        }
    }
}
