import ModelRuns

/// Operations on objects, beside a model in plain values.
enum OperationTarget {
    static func run(_ bytes: [UInt8]) throws {
        do { try ModelRuns.run(bytes) } catch { throw FuzzFinding("\(error)") }
    }
}
