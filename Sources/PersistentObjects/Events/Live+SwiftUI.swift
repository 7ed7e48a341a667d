#if canImport(SwiftUI)
    public import SwiftUI

    /// What a query finds, kept up to date in a view.
    ///
    /// ```swift
    /// struct PeopleView: View {
    ///     @Live(Person.query.order(by: \.lastName)) var people
    ///
    ///     var body: some View { List(people, id: \.id) { person in Text(person.lastName) } }
    /// }
    /// ```
    ///
    /// `$people` is the ``LiveQuery``: its error, its sections, and the query,
    /// which a search field may set.
    @MainActor @propertyWrapper
    public struct Live<T: Persistent>: DynamicProperty {
        @State private var live: LiveQuery<T>

        /// Watches a query for as long as the view is there. It is asked when the view is first drawn.
        public init(_ query: Query<T>) { _live = State(initialValue: LiveQuery(query)) }

        /// What the query finds.
        public var wrappedValue: [T] { live.results }

        /// The live query.
        public var projectedValue: LiveQuery<T> { live }
    }
#endif
