package org.buftrail.it.programs;

/** Several of the programs, one after the other, in one JVM. */
public final class InTurn {
  private InTurn() {}

  /**
   * Runs the programs.
   *
   * @param args the names of their classes
   */
  public static void main(String[] args) throws ReflectiveOperationException {
    for (String program : args) {
      Class.forName(program).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    }
  }
}
