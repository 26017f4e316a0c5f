package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.it.FlowCases.flows;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.it.programs.GuiltyLines;
import org.buftrail.report.EvidenceText;
import org.buftrail.report.OwnerText;
import org.buftrail.report.SnapshotJsonReader;
import org.buftrail.report.TreeReport;
import org.junit.jupiter.api.io.TempDir;

/** A mistake ends at the line that made it, and not where all such lines meet. */
final class GuiltyLineIT {
  @TempDir private Path directory;

  private List<String> paths(Setting setting, String mistakes) throws Exception {
    FlowsFile flows = flows(setting, directory, GuiltyLines.class, mistakes);
    assertThat(flows.isBalanced()).isTrue();
    return flows.paths().stream()
        .filter(path -> path.live() == 0)
        .map(FlowsFile.FlowPath::summary)
        .map(path -> path.replace("GuiltyLines.", "").replace("GuiltyLines$", ""))
        .map(path -> path.replace("PooledByteBufAllocator.directBuffer > ", ""))
        .sorted()
        .toList();
  }

  @EachSetting
  void retainsHaveTheLineThatMadeThem(Setting setting) throws Exception {
    assertThat(paths(setting, "retains"))
        .containsExactly(
            "oneRetainTooMany > Box.<init> > oneRetainTooMany > Box.keep > Box.done 0/1/0",
            "sliceOfASlice > frame > frame_return > sliceOfASlice > body > body_return"
                + " > sliceOfASlice > lose 0/1+2/0");
  }

  @EachSetting(newestNetty = true)
  void whatALibraryAllocatesNamesTheCallOfTheApplication(Setting setting) throws Exception {
    flows(setting, directory, GuiltyLines.class, "library");
    List<String> sentences =
        SnapshotJsonReader.read(directory.resolve("flows.json")).paths().stream()
            .flatMap(path -> EvidenceText.sentences(path).stream())
            .toList();
    assertThat(sentences)
        .isNotEmpty()
        .anySatisfy(
            sentence ->
                assertThat(sentence)
                    .matches(
                        "asked for in org.buftrail.it.programs.GuiltyLines.form:\\d+ \\((\\d+) of"
                            + " \\1 looks?\\), through HttpPost.*"));
  }

  @EachSetting
  void callersOfOneFactoryAreToldApart(Setting setting) throws Exception {
    assertThat(paths(setting, "factory"))
        .containsExactly(
            "make > make_return > chained 0/1/0",
            "make > make_return > inAMessage > Box.<init> 0/1/0",
            "make > make_return > queued 0/1/0");
  }

  @EachSetting
  void aStreamOfABufferLeadsToTheMethodThatLosesIt(Setting setting) throws Exception {
    assertThat(paths(setting, "streams"))
        .containsExactly("make > make_return > main > decoded 0/1/0");
  }

  @EachSetting
  void aWrapperOfTheApplicationLeadsToTheMethodThatLosesIt(Setting setting) throws Exception {
    assertThat(paths(setting, "wrappers"))
        .containsExactlyInAnyOrder(
            "make > make_return > main > Box.<init> > main > wrapped 0/1/0",
            "make > make_return > main > Box.<init> > main > seen 0/1/0",
            "make > make_return > main > Envelope.<init> > main > opened 0/1/0",
            "make > make_return > main > Changing.take 0/1/0");
  }

  @EachSetting
  void aWrapperThatIsNotFollowedIsNamedWithTheOptionThatFollowsIt(Setting setting)
      throws Exception {
    flows(setting, directory, GuiltyLines.class, "wrappers");
    StringBuilder text = new StringBuilder();
    TreeReport.write(SnapshotJsonReader.read(directory.resolve("flows.json")), text);
    String program = GuiltyLines.class.getName();
    assertThat(text)
        .containsOnlyOnce("carrier=")
        .contains(
            "1 flow leaked where "
                + (program + "$Changing.take gives buffers to ")
                + (program
                    + "$Changing, which is not followed, because it assigns its field again.")
                + (" To follow it: carrier=" + program + "$Changing.content\n"));
  }

  @EachSetting
  void widerTypesAreHopsWhereTheyHoldABuffer(Setting setting) throws Exception {
    assertThat(paths(setting, "types"))
        .extracting(path -> path.replaceAll(".*main > ", ""))
        .containsExactlyInAnyOrder(
            "counted 0/1/0", "part 0/1/0", "request 0/1/0", "any 0/1/0", "counter 0/1/0");
  }

  @EachSetting
  void whereTheLastHopOnlyReadsTheMethodIsNamedThatHadIt(Setting setting) throws Exception {
    flows(setting, directory, GuiltyLines.class, "readers");
    List<String> sentences = new ArrayList<>();
    for (org.buftrail.model.Path path :
        SnapshotJsonReader.read(directory.resolve("flows.json")).paths()) {
      if (path.leaked().count() > 0) {
        sentences.add(String.valueOf(OwnerText.sentence(path)).replaceAll(":\\d+", ""));
      }
    }
    String program = GuiltyLines.class.getName();
    assertThat(sentences)
        .containsExactlyInAnyOrder(
            "null", "last read in " + program + ".isValid; " + program + ".refused had it");
  }

  @EachSetting
  void releasesHaveTheLineThatMadeThem(Setting setting) throws Exception {
    assertThat(paths(setting, "releases"))
        .containsExactly(
            "released > byBoth > byBoth > ByteBuf.release 1/0/0",
            "released > byItself > ByteBuf.release 1/0/0",
            "released > byTheLibrary > ByteBuf.release 1/0/0");
  }
}
