package org.buftrail.jfr.kinds;

/** Keys of sample attributes. */
final class Keys {
  static final String THREAD_STATE = "thread.state";
  static final String CLASS = "jvm.class.name";
  static final String LOCK_CLASS = "jvm.lock.class.name";
  static final String EXCEPTION_TYPE = "exception.type";

  static final String DIRECT = "buftrail.flow.direct";

  private Keys() {}
}
