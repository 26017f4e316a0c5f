package org.buftrail.agent.page;

import java.io.IOException;
import org.buftrail.model.TrackedProcess;
import org.buftrail.profile.json.JsonOut;
import org.buftrail.report.ProcessJson;

/** Whose buffers the page shows, and what may be asked for there. */
final class About {
  private About() {}

  /**
   * @param hasSnapshots whether snapshot files can be written
   */
  static void write(TrackedProcess process, boolean hasSnapshots, Appendable out)
      throws IOException {
    JsonOut json = new JsonOut(out);
    json.beginObject();
    ProcessJson.members(process, json);
    json.name("snapshots").value(hasSnapshots).endObject();
  }
}
