package org.buftrail.agent.weave.classfile;

/** Tells which loaded classes can never run. Stateless. */
public final class Linkage {
  private Linkage() {}

  /**
   * Whether a class cannot be linked, for want of another: as those of Netty that need a library
   * which the application does without. No code of it ever runs. Links the class where it can;
   * initialises nothing.
   */
  public static boolean isWanting(Class<?> c) {
    // Each links the class, and then asks for the types that it tells of: all of them are seldom
    // missing in what can be linked.
    return !tells(c, 0) && !tells(c, 1) && !tells(c, 2);
  }

  private static boolean tells(Class<?> c, int what) {
    try {
      int told =
          what == 0
              ? c.getDeclaredConstructors().length
              : what == 1 ? c.getDeclaredFields().length : c.getDeclaredMethods().length;
      return told >= 0;
    } catch (NoClassDefFoundError e) {
      return false;
    } catch (Throwable e) {
      return true;
    }
  }
}
