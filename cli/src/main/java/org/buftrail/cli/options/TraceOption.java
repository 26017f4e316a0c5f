package org.buftrail.cli.options;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.cli.shape.NothingLeft;
import org.buftrail.cli.shape.ProfileSelection;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.WrongUsage;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.input.ReadProfiles;

/** Which trace is wanted: an option of the commands that show or convert profiles. */
public final class TraceOption {
  private final TextOption id =
      new TextOption(
          "--trace-id",
          "ID",
          "Only samples that were taken for this trace: up to 32 hexadecimal digits. For"
              + " recordings of Datadog, the id of the local root span.");

  public TraceOption() {}

  public void addTo(List<CommandOption> options) {
    options.add(id);
  }

  public boolean isGiven() {
    return id.value() != null;
  }

  /**
   * Refuses what is no id.
   *
   * @throws WrongUsage if it is none
   */
  public void check() {
    String trace = id.value();
    if (trace != null && !trace.matches("[0-9a-fA-F]{1,32}")) {
      throw new WrongUsage("--trace-id takes up to 32 hexadecimal digits, not " + trace);
    }
  }

  /**
   * The samples of the trace; all where none is asked for.
   *
   * @param timestamps whether to keep the times of observations
   * @throws NothingLeft if no sample is of the trace
   */
  Profiles select(Profiles all, boolean timestamps) throws NothingLeft {
    String trace = id.value();
    return trace == null ? all : ProfileSelection.ofTrace(all, trace, timestamps);
  }

  /**
   * The samples of the trace, of profiles that have been read; all where none is asked for.
   *
   * @throws CommandFailure if no sample is of the trace
   */
  public ReadProfiles select(ReadProfiles read) throws CommandFailure {
    if (!isGiven()) {
      return read;
    }
    check();
    List<Profiles> selected = new ArrayList<>();
    String reason = "there are no profiles";
    for (Profiles profiles : read.profiles()) {
      try {
        selected.add(select(profiles, true));
      } catch (NothingLeft e) {
        reason = String.valueOf(e.getMessage());
      }
    }
    if (selected.isEmpty()) {
      throw new CommandFailure("nothing to show: " + reason);
    }
    return ReadProfiles.of(selected, read.damages());
  }
}
