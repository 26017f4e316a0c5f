package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.it.programs.Counted;
import org.buftrail.it.programs.Inheriting;
import org.buftrail.it.programs.Jdbc;
import org.buftrail.it.programs.LeakProne;
import org.buftrail.it.programs.Leases;
import org.buftrail.it.programs.OpenFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Resources that are no buffers: named in the configuration, or described by the application. */
final class ResourcesIT {
  private static final String FILES =
      """
      resource=java.io.FileInputStream:open=new,close=close
      resource=java.io.FileOutputStream:open=new,close=close
      """;
  private static final String DATABASE =
      ";resource=java.sql.Connection:open=java.sql.DriverManager.getConnection,close=close"
          + ";resource=java.sql.Statement:open=java.sql.Connection.createStatement,close=close";

  /** No hop of a method that was running already when the resource was described. */
  private static final String RUNNING = "";

  private static final String OPENED =
      "FileInputStream.open > OpenFiles.open > OpenFiles.open_return";

  @TempDir private Path directory;

  @EachSetting
  void filesAreFollowedBesideBuffers(Setting setting) throws Exception {
    Files.writeString(directory.resolve("files.conf"), "# files\n" + FILES);
    FlowsFile flows =
        FlowCases.flows(
            setting, FlowCases.INCLUDE + ";config=files.conf", directory, OpenFiles.class);
    assertThat(flows.summaries())
        .filteredOn(path -> path.contains("OpenFiles"))
        .containsExactly(
            OPENED + " > OpenFiles.lose > OpenFiles.read 0/2/0",
            OPENED + " > OpenFiles.main 0/0/1",
            OPENED + " > OpenFiles.main > FileInputStream.close 1/0/0",
            OPENED + " > OpenFiles.main > OpenFiles.read > FileInputStream.close 3/0/0",
            "FileOutputStream.open > OpenFiles.main > FileOutputStream.close 1/0/0",
            "UnpooledByteBufAllocator.heapBuffer > OpenFiles.main > OpenFiles.main"
                + " > ByteBuf.release 1/0/0");
    assertThat(flows.isBalanced()).isTrue();
    assertThat(flows.paths())
        .filteredOn(path -> path.hops().startsWith("FileInputStream"))
        .allSatisfy(path -> assertThat(path.resource()).isEqualTo("java.io.FileInputStream"))
        .allSatisfy(path -> assertThat(path.leakedBytes()).isZero());
    assertThat(flows.paths())
        .filteredOn(path -> path.hops().startsWith("Unpooled"))
        .allSatisfy(path -> assertThat(path.resource()).isEmpty());
  }

  @EachSetting
  void samplingIsOfBuffersAlone(Setting setting) throws Exception {
    FlowsFile flows =
        FlowCases.flows(
            setting,
            "include=none;sample=1000;" + FILES.strip().replace('\n', ';'),
            directory,
            OpenFiles.class);
    assertThat(flows.summaries()).contains("FileInputStream.open 0/2/1");
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void connectionsOfADatabaseAreFollowedByTheirInterface(Setting setting) throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .alsoOnClassPath(Setting.database())
            .agent(FlowCases.INCLUDE + DATABASE + ";report=flows.json,flows.txt,flows.otlp")
            .run(Jdbc.class);
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    String connected = "Connection.open > Jdbc.connect > Jdbc.connect_return";
    assertThat(flows.summaries())
        .filteredOn(path -> path.contains("Jdbc"))
        .containsExactly(
            connected + " > Jdbc.lose > Jdbc.query 0/2/0",
            connected + " > Jdbc.main 0/0/1",
            connected + " > Jdbc.main > Jdbc.query > Connection.close 3/0/0",
            "Statement.open > Jdbc.query > Statement.close 5/0/0");
    assertThat(flows.isBalanced()).isTrue();
    assertThat(Files.readString(directory.resolve("flows.txt")))
        .contains("(java.sql.Connection)  2 flows")
        .contains("java.sql.Statement");
    ForkedJvm.Result check = new ForkedJvm(directory).runJar("check", "flows.otlp");
    assertThat(check.exit()).as(check.err()).isZero();
  }

  @EachSetting
  void whatATypeInheritsFromAboveClosesItToo(Setting setting) throws Exception {
    String options =
        ";resource=java.nio.channels.FileChannel:open=open,close=close"
            + ";resource=java.util.stream.Stream:open=java.nio.file.Files.lines,close=close"
            + ";resource=org.buftrail.it.programs.Inheriting$Answer:open=get,close=close";
    FlowsFile flows =
        FlowCases.flows(setting, FlowCases.INCLUDE + options, directory, Inheriting.class);
    String answer = "Inheriting$Answer.open > Inheriting$Answer.get_return";
    assertThat(flows.summaries())
        .filteredOn(path -> path.contains(" > Inheriting"))
        .containsExactlyInAnyOrder(
            "FileChannel.open > Inheriting.lose > Inheriting.size 0/1/0",
            "FileChannel.open > Inheriting.main > Inheriting.size > FileChannel.close 3/0/0",
            "Stream.open > Inheriting.lose > Inheriting.count 0/1/0",
            "Stream.open > Inheriting.main > Inheriting.count > Stream.close 3/0/0",
            answer + " > Inheriting.lose > Inheriting.read 0/1/0",
            answer + " > Inheriting.main > Inheriting.read > Inheriting$Answer.close 3/0/0");
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void aBufferThatCountsItsHoldersEndsWithTheLast(Setting setting) throws Exception {
    String options =
        ";resource=org.bson.ByteBuf:open=org.bson.ByteBufNIO.new,close=release"
            + ",count=getReferenceCount,bytes=capacity;report=flows.json,flows.txt";
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .alsoOnClassPath(Setting.bson())
            .agent(FlowCases.INCLUDE + options)
            .run(Counted.class);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.agentLines()).noneMatch(line -> line.contains("no loaded class"));
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    String taken = "ByteBuf.open > Counted.take > Counted.take_return";
    assertThat(flows.summaries())
        .containsExactlyInAnyOrder(
            taken + " > Counted.main 0/0/1",
            taken + " > Counted.main > ByteBuf.close 1/0/0",
            taken + " > Counted.main > Counted.share > Counted.use 0/2/0",
            taken + " > Counted.main > Counted.share > Counted.use > ByteBuf.close 3/0/0");
    assertThat(flows.paths())
        .filteredOn(path -> path.leaked() > 0)
        .singleElement()
        .satisfies(path -> assertThat(path.leakedBytes()).isEqualTo(32));
    // One holder at first, two while it is shared.
    assertThat(Files.readString(directory.resolve("flows.txt")))
        .containsPattern("\\n +1-2 +org.buftrail.it.programs.Counted.use:");
    assertThat(flows.isBalanced()).isTrue();
  }

  @Test
  void whatMatchesNothingIsNamed() throws Exception {
    String options =
        ";resource=java.io.FileInputStream:open=new,close=clsoe"
            + ";resource=java.io.FileOutputStream:open=new,open=opne,close=close;report=flows.json";
    ForkedJvm.Result result =
        new ForkedJvm(directory).agent(FlowCases.INCLUDE + options).run(OpenFiles.class);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.agentLines())
        .filteredOn(line -> line.contains("no loaded class had"))
        .containsExactly(
            "buftrail: resource java.io.FileInputStream: no loaded class had close=clsoe",
            "buftrail: resource java.io.FileOutputStream: no loaded class had open=opne");
  }

  @Test
  void carriersThatCanHoldNothingAreNamed() throws Exception {
    String options =
        ";carrier=com.example.Gone.body,org.buftrail.it.programs.Garbage.objects,"
            + "org.buftrail.it.programs.LeakProne.body;report=flows.json";
    ForkedJvm.Result result =
        new ForkedJvm(directory).agent(FlowCases.INCLUDE + options).run(LeakProne.class);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.agentLines())
        .filteredOn(line -> line.contains(" carrier "))
        .containsExactly(
            "buftrail: carrier com.example.Gone.body: no class of this name was loaded",
            "buftrail: carrier org.buftrail.it.programs.Garbage.objects: the field is of type"
                + " java.util.List, in which no buffer is looked for",
            "buftrail: carrier org.buftrail.it.programs.LeakProne.body: the class has no such"
                + " field");
  }

  @Test
  void aServiceOfTheApplicationDescribesItsResources() throws Exception {
    assertLeases(service(Leases.Sized.class), "", RUNNING, "service");
  }

  @Test
  void anOptionNamesADescription() throws Exception {
    String options = ";trackedResources=" + Leases.Sized.class.getName();
    assertLeases(new ForkedJvm(directory), options, " > Leases.main");
  }

  @Test
  void theApplicationDescribesThemInCode() throws Exception {
    assertLeases(new ForkedJvm(directory), "", RUNNING, "late");
  }

  private void assertLeases(ForkedJvm jvm, String options, String keeper, String... arguments)
      throws Exception {
    ForkedJvm.Result result =
        jvm.agent(FlowCases.INCLUDE + ";report=flows.json" + options).run(Leases.class, arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    // The lease of size 0 is not mine.
    assertThat(flows.summaries())
        .containsExactly(
            "Lease.open > Leases$Lease.take_return" + keeper + " 0/1/0",
            "Lease.open > Leases$Lease.take_return" + keeper + " > Lease.close 1/0/0",
            "Lease.open > Leases$Lease.take_return" + keeper + " > Leases.use > Lease.close 3/0/0");
    assertThat(flows.paths())
        .filteredOn(path -> path.leaked() > 0)
        .singleElement()
        .satisfies(path -> assertThat(path.leakedBytes()).isEqualTo(1_000))
        .satisfies(path -> assertThat(path.resource()).isEqualTo("demo.Lease"));
    assertThat(flows.paths())
        .filteredOn(path -> path.hops().contains("use"))
        .singleElement()
        .satisfies(path -> assertThat(path.releasedBytes()).isEqualTo(600));
    assertThat(flows.misuses())
        .containsExactly(
            "1 double release at main: Lease.open > Leases$Lease.take_return"
                + keeper
                + " > Lease.close");
    assertThat(flows.isBalanced()).isTrue();
  }

  @Test
  void aDescriptionThatFailsIsLoggedOnceAndSwitchedOff() throws Exception {
    ForkedJvm.Result result =
        service(Leases.Broken.class)
            .agent(FlowCases.INCLUDE + ";report=flows.json")
            .run(Leases.class, "service");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.agentLines())
        .filteredOn(line -> line.contains("no size today"))
        .singleElement()
        .asString()
        .contains("resources of type demo.Lease are followed no more");
    FlowsFile flows = FlowsFile.readWithErrors(directory.resolve("flows.json"));
    assertThat(flows.total("suppressedErrors")).isEqualTo(1);
    assertThat(flows.total("allocated")).isLessThanOrEqualTo(1);
  }

  @Test
  void whatIsWrongIsOneLine() throws Exception {
    assertWrong("resource=java.io.File:opne=new,close=close", "did you mean 'open'?");
    assertWrong("resource=java.io.File:open=new", "java.io.File has no close=");
    assertWrong("resource=java.io.File", "java.io.File has no open=");
    assertWrong("resource=no class:open=new,close=close", "'no class' is not a class name");
    assertWrong("resource=a.B:open=1x,close=close", "'1x' is not a member such as new");
    assertWrong("resuorce=a.B:open=new,close=close", "did you mean 'resource'?");
    assertWrong(
        "resource=a.B:open=new,close=c,count=1", "count=1: it must be the name of a method");
    assertWrong("resource=a.B:open=new,close=a.P.give,count=n", "must be a method of a.B itself");
    assertWrong("resource=a.B:open=new,close=c,count=n,once=true", "exclude each other");
    assertWrong("resource=a.B:open=new,close=c;resource=a.B:open=x,close=c", "a.B is given twice");
  }

  private void assertWrong(String options, String message)
      throws IOException, InterruptedException {
    ForkedJvm.Result result =
        new ForkedJvm(directory).agent(options).run(org.buftrail.it.programs.Silent.class);
    assertThat(result.exit()).isZero();
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .startsWith("buftrail: ")
        .contains(message);
  }

  /** A JVM that has the service on its class path. */
  private ForkedJvm service(Class<?> service) throws IOException {
    Path classPath = directory.resolve("services");
    Path services = Files.createDirectories(classPath.resolve("META-INF/services"));
    Files.write(services.resolve("org.buftrail.model.TrackedResource"), List.of(service.getName()));
    return new ForkedJvm(directory).alsoOnClassPath(classPath);
  }
}
