package org.buftrail.it.leaktests;

/** One of two classes whose tests share the pools. */
public class OlderPoolsSecondTests extends OlderPoolsTests {}
