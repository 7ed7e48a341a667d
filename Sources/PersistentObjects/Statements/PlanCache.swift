/// Plans by key, each created once.
///
/// The plan used last is compared before any is hashed: a call is often repeated, and hashing a name or a shape costs
/// more than comparing it.
///
/// It is a class, and no access to it is in progress while a plan is created, because creating a plan can run user code
/// that uses this cache.
final class PlanCache<Key: Hashable, Plan> {
    private var plans: [Key: Plan] = [:]
    private var last: (key: Key, plan: Plan)?
    private let limit: Int

    /// - Parameter limit: The number of plans at which all plans are dropped, because names, SQL and conditions that a
    ///   program creates at run time must not accumulate.
    init(limit: Int = .max) { self.limit = limit }

    /// The plan for a key, created at first use.
    @inline(__always)
    func plan(for key: Key, _ make: () throws -> Plan) rethrows -> Plan {
        try plan(where: { $0 == key }, key: { key }, make)
    }

    /// The plan for a key that is expensive to build, but can be compared without building it.
    @inline(__always)
    func plan(where isKey: (Key) -> Bool, key: () -> Key, _ make: () throws -> Plan) rethrows -> Plan {
        if let last, isKey(last.key) { return last.plan }
        return try find(key(), make)
    }

    private func find(_ key: Key, _ make: () throws -> Plan) rethrows -> Plan {
        let plan: Plan
        if let known = plans[key] {
            plan = known
        } else {
            plan = try make()
            if plans.count >= limit { plans = [:] }
            plans[key] = plan
        }
        last = (key, plan)
        return plan
    }

    func removeAll() {
        // All classes of a session forget their plans whenever a class is added; most have none.
        guard !plans.isEmpty else { return }
        plans = [:]
        last = nil
    }
}
