package org.buftrail.flow.state;

/**
 * The superclass of messages that may keep a buffer.
 *
 * <p>The agent gives it to their classes as they load, wherever {@code Object} was the superclass.
 * Whether an object extends a class is one comparison. Whether it implements an interface is a
 * search, before JDK 23; its result is written into the object's class, where threads that ask for
 * different interfaces contend for it. Nearly every hop asks.
 *
 * <p>It has no method with a body: what mocks instances would take a call of that for one of the
 * application's. Woven members are synthetic.
 */
public abstract class HolderRoot implements BufferHolder {
  /** For the classes that are given this superclass. */
  protected HolderRoot() {}
}
