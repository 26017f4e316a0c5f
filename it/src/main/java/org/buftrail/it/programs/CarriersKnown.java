package org.buftrail.it.programs;

import java.lang.reflect.Field;

/** Prints whether the agent's runtime can ask on which carrier a virtual thread is. */
public final class CarriersKnown {
  private CarriersKnown() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    Field question =
        Class.forName("org.buftrail.flow.nursery.CarrierThreads", true, null)
            .getDeclaredField("CURRENT");
    question.setAccessible(true);
    System.out.print(question.get(null) != null);
  }
}
