@echo off
rem Starts Buftrail's command line; needs Java 17 or later.
setlocal
set "root=%~dp0.."
if defined JAVA_HOME (
  set "java=%JAVA_HOME%\bin\java.exe"
) else (
  set "java=java.exe"
)
set "jar=%root%\lib\buftrail.jar"
if "%~1"=="demo" set "jar=%root%\lib\buftrail-demo.jar"
set "quick=-XX:TieredStopAtLevel=1 -XX:-UsePerfData -XX:+UseSerialGC"
rem This one stays.
if "%~1"=="watch" set "quick="
rem DuckDB is native code. From JDK 24 on a JVM that may load such uses no archive.
if "%~1"=="sql" set "quick=%quick% --enable-native-access=ALL-UNNAMED"
rem An archive of the classes, as lib/archive.sh makes it: one for each jar and JVM.
if "%~1"=="demo" goto plain
if not defined LOCALAPPDATA goto plain
if not defined JAVA_HOME goto plain
if not exist "%JAVA_HOME%\release" goto plain
set "key="
for %%F in ("%jar%") do set "key=%%~zF-%%~tF"
for /f "tokens=2 delims==" %%V in ('findstr /b "JAVA_RUNTIME_VERSION=" "%JAVA_HOME%\release"') do set "key=%key%-%%~V"
set "key=%key::=%"
set "key=%key:/=%"
set "key=%key: =%"
set "store=%LOCALAPPDATA%\buftrail"
set "archive=%store%\classes-%key%.jsa"
if exist "%archive%" goto archived
if not exist "%store%" mkdir "%store%" 2>nul
rem The directory stays where none can be made, so that this is tried once.
mkdir "%archive%.making" 2>nul || goto plain
"%java%" %quick% "-XX:DumpLoadedClassList=%archive%.making\list" -cp "%jar%" org.buftrail.cli.Main rehearse "%root%\lib\rehearsal" -o "%archive%.making\profile.otlp" >nul 2>&1
"%java%" %quick% -XX:+IgnoreUnrecognizedVMOptions -XX:+AOTClassLinking -Xshare:dump "-XX:SharedClassListFile=%archive%.making\list" "-XX:SharedArchiveFile=%archive%.making\jsa" -cp "%jar%" >nul 2>&1
if not exist "%archive%.making\jsa" goto plain
move /y "%archive%.making\jsa" "%archive%" >nul 2>&1
rmdir /s /q "%archive%.making" 2>nul
if not exist "%archive%" goto plain
:archived
"%java%" %quick% "-XX:SharedArchiveFile=%archive%" -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0 -Xlog:disable -Xlog:all=error,cds=off:stderr %JAVA_OPTS% "-Dbuftrail.launcher=buftrail" -cp "%jar%" org.buftrail.cli.Main %*
exit /b %ERRORLEVEL%
:plain
"%java%" %quick% %JAVA_OPTS% "-Dbuftrail.launcher=buftrail" -jar "%jar%" %*
exit /b %ERRORLEVEL%
