#if PostgreSQL
    import TestSupport
    import Testing

    /// Tests that observe the traffic between a store and a server, which no other client uses meanwhile.
    @Suite(.onPostgres("files have no way to a server"), .serialized) struct ProxyTests {}
#endif
