/// One step of a statement's query plan, as the engine describes it.
package struct PlanStep: Sendable {
    /// The nesting depth of the step, from 1.
    package let depth: Int
    /// The engine's description.
    package let text: String

    /// Whether it reads every row of a table.
    package func readsAll(of table: String) -> Bool { text == "SCAN \(table)" }
}

extension Statement {
    /// The steps that a bound explanation statement returns (`Dialect.explanation`).
    package func planSteps() throws(StoreError) -> [PlanStep] {
        var steps: [PlanStep] = []
        var depths: [Int64: Int] = [:]
        while try step() {
            let depth = (depths[integer(1)] ?? 0) + 1
            depths[integer(0)] = depth
            steps.append(PlanStep(depth: depth, text: try text(3)))
        }
        return steps
    }
}
