package org.buftrail.cli.output;

import java.util.List;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Damage;

/** What is said of recordings that could be read only in part. */
public final class Damages {
  private static final int MOST = 10;

  private Damages() {}

  /** Names each note and each damage; answers the exit code. */
  public static int report(Conversion conversion, boolean lenient, Terminal terminal) {
    for (String note : conversion.notes()) {
      terminal.fail("note: " + note);
    }
    if (!conversion.isPartial()) {
      return Exit.DONE;
    }
    name(conversion, terminal);
    List<Damage> damages = conversion.damages();
    terminal.fail(
        damages.size()
            + " damaged part"
            + (damages.size() == 1 ? "" : "s")
            + " left out; the output is marked partial"
            + (lenient ? "" : " (--lenient accepts that)"));
    return lenient ? Exit.DONE : Exit.FAILED;
  }

  /** Names what could not be read. */
  public static void name(Conversion conversion, Terminal terminal) {
    List<Damage> damages = conversion.damages();
    for (Damage damage : damages.subList(0, Math.min(MOST, damages.size()))) {
      terminal.fail(damage.toString());
    }
  }
}
