/// Numbers the closures of one condition: each refers to different objects.
final class ScopeCounter {
    private var last: Int

    init(after last: Int = 0) { self.last = last }

    func next() -> Int { next(1) }

    /// The first of some numbers.
    func next(_ count: Int) -> Int {
        last += count
        return last - count + 1
    }
}
