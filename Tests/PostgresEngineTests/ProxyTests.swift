#if PostgreSQL
    import TestSupport
    import Testing

    /// What is seen from between a store and a server that nobody else uses meanwhile.
    @Suite(.onPostgres("files have no way to a server"), .serialized) struct ProxyTests {}
#endif
