package org.buftrail.it.leaktests;

/** One of two classes whose tests share the pools. */
public class OlderPoolsFirstTests extends OlderPoolsTests {}
