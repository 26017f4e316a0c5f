package org.buftrail.console.output;

import java.util.List;
import org.buftrail.jfr.Conversion;
import org.buftrail.profile.input.ReadProfiles;

/** The messages about recordings that could be read only in part. */
public final class Damages {
  private static final int MOST = 10;

  private Damages() {}

  /** Names each note and each damage; answers the exit code. */
  public static int report(Conversion conversion, boolean lenient, Terminal terminal) {
    return report(
        conversion.notes(),
        conversion.damages(),
        "; the output is marked partial" + (lenient ? "" : " (--lenient accepts that)"),
        lenient,
        terminal);
  }

  /** Names each note and each damage of what was read; answers the exit code. */
  public static int report(ReadProfiles read, boolean lenient, Terminal terminal) {
    String accepted = lenient ? "" : " (--lenient accepts that)";
    return report(read.notes(), read.damages(), accepted, lenient, terminal);
  }

  private static int report(
      List<String> notes, List<?> damages, String more, boolean lenient, Terminal terminal) {
    for (String note : notes) {
      terminal.fail("note: " + note);
    }
    if (damages.isEmpty()) {
      return Exit.DONE;
    }
    name(damages, terminal);
    terminal.fail(
        damages.size() + " damaged part" + (damages.size() == 1 ? "" : "s") + " left out" + more);
    return lenient ? Exit.DONE : Exit.FAILED;
  }

  /** Names what could not be read. */
  public static void name(Conversion conversion, Terminal terminal) {
    name(conversion.damages(), terminal);
  }

  private static void name(List<?> damages, Terminal terminal) {
    for (Object damage : damages.subList(0, Math.min(MOST, damages.size()))) {
      terminal.fail(damage.toString());
    }
  }
}
