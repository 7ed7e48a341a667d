import TestSupport
import Testing

@testable import PersistentObjects

/// Conditions of many terms: their cost grows linearly with the number of terms, and no number of terms overflows the
/// stack.
struct LongConditionTests {
    final class Sample: PersistentObject {
        override class var tableName: String { "sample" }
        var number = 0
        var twin = 0
        var note: String?
    }

    /// Saves samples numbered 0 to 9; even numbers equal their twins.
    private func withSamples(_ body: (Session, [Sample]) throws -> Void) throws {
        try withTemporarySession { session, _ in
            let samples = (0..<10).map { number in
                let sample = Sample()
                (sample.number, sample.twin) = (number, number + number % 2)
                return sample
            }
            try session.save(samples)
            try withExtendedLifetime(samples) { try body(session, samples) }
            expect(session.busyStatementCount, 0)
        }
    }

    private enum Form: CaseIterable { case leftAnd, leftOr, rightAnd, rightOr, tree, mixed }

    /// A condition with this number of terms and without values, which matches the even samples.
    private func condition(_ form: Form, _ count: Int, _ columns: Columns<Sample>) -> Condition {
        let isTwin = columns.number == columns.twin
        switch form {
        case .leftAnd: return (1..<count).reduce(isTwin) { all, _ in all && isTwin }
        case .leftOr: return (1..<count).reduce(isTwin) { any, _ in any || isTwin }
        case .rightAnd: return (1..<count).reduce(isTwin) { all, _ in isTwin && all }
        case .rightOr: return (1..<count).reduce(isTwin) { any, _ in isTwin || any }
        case .tree:
            var parts = Array(repeating: isTwin, count: count)
            while parts.count > 1 {
                parts = stride(from: 0, to: parts.count, by: 2).map { place in
                    place + 1 < parts.count ? parts[place] && parts[place + 1] : parts[place]
                }
            }
            return parts[0]
        case .mixed:
            return (1..<count / 2).reduce(isTwin) { $1 % 100 == 0 ? !(!$0) : $0 && (columns.note == nil || isTwin) }
        }
    }

    @Test(.hangLimit, arguments: [Scale.of(10_000), Scale.of(100_000)])
    func `a very long chain of conditions in any form can be queried`(count: Int) throws {
        try withSamples { _, samples throws in
            for form in Form.allCases {
                // A chain that is negated twice is no longer a chain: it is as deep as it is written.
                let count = form == .mixed ? 1000 : count
                let found = try Sample.where { condition(form, count, $0) }.all()
                expect(found, samples.filter { $0.number == $0.twin }, "\(form)")
            }
        }
    }

    @Test func `more values than a statement can have is an error that names the limit and the remedy`() throws {
        try withSamples { _, samples throws in
            let many = Sample.where { columns in
                (0..<40_000).reduce(columns.number == -1) { $0 || columns.number == $1 }
            }
            let error = #expect(throws: QueryError.self) { try many.count() }
            #expect(error.map { "\($0)".contains("more than 32764 values. Pass lists to isIn") } == true)
            let some = Sample.where { columns in
                (0..<Scale.of(32_000)).reduce(columns.number == -1) { $0 || columns.number == $1 + 5 }
            }
            #expect(try some.count() == 5)
        }
    }

    @Test func `words and values keep their order if expressions are shared`() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<Scale.of(200) {
            // Each expression, with its flat lists of words and arguments.
            var pool: [(QueryExpression, [QueryExpression.Word], [QueryExpression.Argument])] = (0..<5).map { number in
                let argument = QueryExpression.Argument.value(.integer(Int64(number)))
                return (QueryExpression(argument: argument), [.argument], [argument])
            }
            for _ in 0..<40 {
                let a = pool[Int.random(in: 0..<pool.count, using: &random)]
                let b = pool[Int.random(in: 0..<pool.count, using: &random)]
                guard a.1.count + b.1.count < 5000 else { continue }
                pool.append((a.0.applying(.and, b.0), a.1 + b.1 + [.operation(.and)], a.2 + b.2))
                pool.append((a.0.applying(.not), a.1 + [.operation(.not)], a.2))
            }
            for (expression, words, arguments) in pool {
                #expect(expression.words == words && expression.arguments == arguments)
                expect(expression.dropping(.not)?.words, words.last == .operation(.not) ? words.dropLast() : nil)
                expect(expression.renumbered(by: 1).arguments, arguments)
            }
        }
    }

    @Test func `a long condition is released without a deep stack`() throws {
        try onSmallStack {
            let isNil = Condition(QueryExpression(.operation(.always)))
            let count = Scale.of(100_000)
            let left = (0..<count).reduce(isNil) { all, _ in all && isNil }
            let right = (0..<count).reduce(isNil) { all, _ in isNil && all }
            let shared = (0..<1000).reduce(left) { all, _ in all || right }
            #expect([left, right].allSatisfy { $0.expression.words.count == 2 * count + 1 })
            withExtendedLifetime(shared) {}
        }
    }
}
