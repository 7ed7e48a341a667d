#if canImport(SwiftUI)
    public import SwiftUI

    /// The results of a query, kept up to date in a view.
    ///
    /// ```swift
    /// struct PeopleView: View {
    ///     @Live(Person.query.order(by: \.lastName)) var people
    ///
    ///     var body: some View { List(people, id: \.id) { person in Text(person.lastName) } }
    /// }
    /// ```
    ///
    /// `$people` is the ``LiveQuery``: its error, its sections, and the query, which a search field may set.
    @MainActor @propertyWrapper
    public struct Live<T: Persistent>: DynamicProperty {
        @State private var live: LiveQuery<T>

        /// Watches a query while the view exists. The query first runs when the view is first drawn.
        public init(_ query: Query<T>) { _live = State(initialValue: LiveQuery(query)) }

        /// The objects that the query finds.
        public var wrappedValue: [T] { live.results }

        /// The live query.
        public var projectedValue: LiveQuery<T> { live }
    }
#endif
