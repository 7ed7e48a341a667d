/// Which objects an inverse has, as a condition of theirs. Only the layers that know queries see what it says.
protocol InverseCondition: Sendable {}

/// What an inverse says of its objects besides whose they are. A class: most say nothing, and each object of the
/// owner's class has the wrapper in it.
final class InverseTraits {
    let order: [InverseOrderStep]
    let condition: (() -> any InverseCondition)?

    init?(_ order: [InverseOrderStep]?, _ condition: (() -> any InverseCondition)? = nil) {
        guard order != nil || condition != nil else { return nil }
        (self.order, self.condition) = (order ?? [], condition)
    }
}
