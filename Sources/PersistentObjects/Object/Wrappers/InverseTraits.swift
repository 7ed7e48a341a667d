/// The condition that selects the objects of an inverse. Only layers that use queries interpret it.
protocol InverseCondition: Sendable {}

/// The declarations of an inverse in addition to its key path. It is a class, because most inverses have no such
/// declarations, and each object of the owner's class contains the wrapper.
final class InverseTraits {
    let order: [InverseOrderStep]
    let condition: (() -> any InverseCondition)?

    init(_ order: [InverseOrderStep], _ condition: (() -> any InverseCondition)? = nil) {
        (self.order, self.condition) = (order, condition)
    }
}
