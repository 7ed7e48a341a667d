/// Numbers the closures of one condition, because each closure refers to different objects.
final class ScopeCounter {
    private var last: Int

    init(after last: Int = 0) { self.last = last }

    func next() -> Int { next(1) }

    /// The first of `count` consecutive numbers.
    func next(_ count: Int) -> Int {
        last += count
        return last - count + 1
    }
}
